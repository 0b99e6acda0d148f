package dev.loopkeeper.manifest.read;

import static dev.loopkeeper.manifest.read.ManifestTexts.onlyProblem;
import static dev.loopkeeper.manifest.read.ManifestTexts.problems;
import static dev.loopkeeper.manifest.read.ManifestTexts.with;
import static dev.loopkeeper.manifest.read.ManifestTexts.withAgent;
import static dev.loopkeeper.manifest.read.ManifestTexts.withPhase;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestProblemsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            isolation: worktree            | isolation: expected a map with the keys git, base, branch, commit, hooks, keep, copy, setup, found text
            isolation: {git: worktrees}    | isolation.git: expected one of none, worktree, found "worktrees"
            isolation: {git: true}         | isolation.git: expected text
            isolation: {kit: none}         | isolation.kit: unknown key "kit"; known here: git, base, branch, commit, hooks, keep, copy, setup (did you mean git?)
            isolation: {git: worktree, base: -x} | isolation.base: expected the name of a commit such as HEAD or main, found "-x"
            isolation: {git: worktree, base: a..b} | isolation.base: expected the name of a commit such as HEAD or main, found "a..b"
            isolation: {git: worktree, base: 7} | isolation.base: expected text, found a whole number
            isolation: {git: worktree, branch: HEAD} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, branch: feature//x} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, branch: feature/.x} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, branch: 'a@{1}'} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, branch: '{{runid}}'} | isolation.branch: {{runid}} is not known here; known: {{runId}}, {{name}} (did you mean runId?)
            isolation: {git: worktree, branch: 'a b/{{runId}}'} | isolation.branch: expected the name of a branch such as loopkeeper/{{runId}}, found "a b/{{runId}}"
            isolation: {git: worktree, branch: '-{{runId}}'} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, branch: 'refs/heads/{{runId}}'} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, branch: '{{runId}}.lock'} | isolation.branch: expected the name of a branch
            isolation: {git: worktree, commit: always} | isolation.commit: expected one of step, iteration, none, found "always"
            isolation: {git: worktree, hooks: maybe} | isolation.hooks: expected true or false
            isolation: {git: worktree, keep: 1} | isolation.keep: expected true or false
            isolation: {git: worktree, setup: {timeout: 1m}} | isolation.setup.command: command is missing; name the program that prepares a worktree, e.g. [npm, ci]
            isolation: {git: worktree, setup: {command: [npm, ci], timeout: 0s}} | isolation.setup.timeout: expected
            isolation: {git: worktree, setup: {command: x, timeut: 1m}} | isolation.setup.timeut: unknown key "timeut"; known here: command, timeout (did you mean timeout?)
            isolation: {git: worktree, copy: node_modules} | isolation.copy: expected a list
            isolation: {git: worktree, copy: [/abs]} | isolation.copy[0]: expected a path in the workspace such as node_modules, found "/abs"
            isolation: {git: worktree, copy: [ok, ../up]} | isolation.copy[1]: expected a path in the workspace such as node_modules, found "../up"
            isolation: {git: worktree, copy: [.git]} | isolation.copy[0]: expected a path in the workspace
            isolation: {git: worktree, copy: [.]} | isolation.copy[0]: expected a path in the workspace
            workspace: 7                   | workspace: expected text, found a whole number
            workspace: ' '                 | workspace: expected text, found none
            env: [A]                       | env: expected a map, found a list
            env: {A: [b]}                  | env.A: expected text, found a list
            env: {A=B: c}                  | env["A=B"]: expected the name of an environment variable
            vars: {a b: c}                 | vars["a b"]: expected a name
            budget: 25                     | budget: expected a map with the keys costUsd, tokens, turns, time, warnAt, found a whole
            budget: {costUsd: 0}           | budget.costUsd: expected a number above 0
            budget: {costUsd: ten}         | budget.costUsd: expected a number, found text
            budget: {costUsd: 1e999}       | budget.costUsd: expected a number above 0
            budget: {costUsd: .nan}        | budget.costUsd: expected a number, found text
            budget: {tokens: 1.5}          | budget.tokens: expected a whole number, found a number
            budget: {tokens: 99999999999999999999} | budget.tokens: expected a whole number from 1 to
            budget: {turns: -1}            | budget.turns: expected a whole number from 1 to
            budget: {warnAt: 1.1}          | budget.warnAt: expected a number above 0 to 1
            budget: {cost: 5}              | budget.cost: unknown key "cost"; known here: costUsd, tokens, turns, time, warnAt (did you mean costUsd?)
            retry: {backoff: {initial: 5}} | retry.backoff.initial: expected a duration such as 1500ms, 30s, 10m or 2h, found a whole number
            retry: {backoff: {initial: 1h30m}} | retry.backoff.initial: expected a duration such as 1500ms, 30s, 10m or 2h, found "1h30m"
            retry: {backoff: {initial: 10m}} | retry.backoff: max is shorter than initial
            retry: {backoff: {factor: 0.5}} | retry.backoff.factor: expected a number from 1 to 1000
            retry: {backoff: {jitter: 2}}  | retry.backoff.jitter: expected a number from 0 to 1
            retry: {transient: {max: -1}}  | retry.transient.max: expected a whole number from 0
            retry: {transient: {wait: yes}} | retry.transient.wait: expected one of auto, never, found "yes"
            retry: {stopConditions: {maxRetryRate: 1.5}} | retry.stopConditions.maxRetryRate: expected a number from 0 to 1
            retry: {stopConditions: {circuitBreaker: -5}} | retry.stopConditions.circuitBreaker: expected a whole number from 0
            retry: {stopConditions: {maxRetryRate: 0.1, max_retry_rate: 0.1}} | retry.stopConditions.max_retry_rate: given twice
            retry: {stop_conditions: {max_retry_rates: 1}} | retry.stop_conditions.max_retry_rates: unknown key "max_retry_rates"; known here: maxRetryRate, maxRejectRate, maxConsecutiveFails, circuitBreaker, minAttempted, max_retry_rate, max_reject_rate, max_consecutive_fails (did you mean max_retry_rate?)
            retry: {stop_conditions: {circuit_breaker: 2}} | retry.stop_conditions.circuit_breaker: unknown key "circuit_breaker"; known here: maxRetryRate, maxRejectRate, maxConsecutiveFails, circuitBreaker, minAttempted, max_retry_rate, max_reject_rate, max_consecutive_fails (did you mean circuitBreaker?)
            retry: {stopConditions: {min_attempted: 1}} | retry.stopConditions.min_attempted: unknown key "min_attempted"; known here: maxRetryRate, maxRejectRate, maxConsecutiveFails, circuitBreaker, minAttempted, max_retry_rate, max_reject_rate, max_consecutive_fails (did you mean minAttempted?)
            retry: {stopConditions: {}, stop_conditions: {}} | retry.stop_conditions: given twice
            notify: {}                     | notify: expected a list, found a map
            notify: [{events: [stop]}]     | notify[0]: expected exactly one of webhook and command
            notify: [{command: [x]}]       | notify[0].events: events is missing
            notify: [{command: [x], events: []}] | notify[0].events: expected at least one event
            notify: [{command: [x], events: [run.pause]}] | notify[0].events[0]: expected one of
            notify: [{webhook: 'ftp://x/', events: [stop]}] | notify[0].webhook: expected an http or https URL
            notify: [{webhook: 'http://', events: [stop]}] | notify[0].webhook: expected an http or https URL
            notify: [{webhook: 'http://x/', secretEnv: a-b, events: [stop]}] | notify[0].secretEnv: expected the name
            notify: [{webhook: 'env:A-B', events: [stop]}] | notify[0].webhook: expected an http or https URL
            notify: [{webhook: 'http://x/', format: slak}] | notify[0].format: expected one of json, slack
            notify: [{webhook: 'http://x/', format: json}] | notify[0].events: events is missing
            notify: [{webhook: 'http://x/', format: ntfy, headers: {A: "b\\nX: y"}}] | notify[0].headers.A: expected the value of a header on one line
            notify: [{webhook: 'http://x/', format: ntfy, headers: {A: 'env:B C'}}] | notify[0].headers.A: expected the value of a header on one line
            notify: [{webhook: 'http://x/', format: ntfy, headers: {Host: y}}] | notify[0].headers.Host: expected the name of a header
            notify: [{webhook: 'http://x/', format: ntfy, headers: {"A:": y}}] | notify[0].headers["A:"]: expected the name of a header
            notify: [{command: x, headers: {A: b}, events: [stop]}] | notify[0].headers: only a webhook has headers
            notify: [{command: x, secretEnv: AB, events: [stop]}] | notify[0].secretEnv: only a webhook is signed
            reasons: [{code: A B, category: fatal}] | reasons[0].code: expected lower case words
            reasons: [{code: halted, category: fatal}] | reasons[0].code: halted is a built-in reason code
            reasons: [{code: max-turns, category: fatal}] | reasons[0].code: max-turns would end a run as error_max_turns
            reasons: [{code: mine, category: deadly}] | reasons[0].category: expected one of capacity, retryable, fatal
            errors: [{kind: billings, says: no money}] | errors[0].kind: expected one of usage-window, billing
            errors: [{kind: billing}] | errors[0]: expected one of says, code and status, found none
            errors: [{kind: billing, says: no money, code: E1}] | errors[0]: expected one of says, code and status, found says and code
            errors: [{kind: billing, says: 'out (of money'}] | errors[0].says: not a regular expression of RE2: missing closing )
            errors: [{kind: billing, says: '(?=money)'}] | errors[0].says: not a regular expression of RE2: invalid or unsupported Perl syntax
            errors: [{kind: billing, says: '(no money)?'}] | errors[0].says: the regular expression matches an empty text
            errors: [{kind: billing, says: '((n{100}){100}){100}'}] | errors[0].says: counted repetitions multiply to more than 1000
            errors: [{kind: billing, code: '---'}] | errors[0].code: a code has at least 3 letters
            errors: [{kind: server, status: 200}] | errors[0].status: expected a status such as 429 or 5xx, found
            reasons: [{code: mine}]        | reasons[0].category: category is missing
            reasons: [{code: a, category: fatal}, {code: a, category: fatal}] | reasons[1].code: a is declared twice
            agent: {}                      | agent: unknown key "agent"
            x: {}                          | x: unknown key "x"
            $schema: 3                     | ["$schema"]: expected the path or URL of the schema
            budget: {x-note: 5}            | budget.x-note: unknown key "x-note"
            """)
    void aBadValueIsNamed(String key, String expected) {
        assertThat(onlyProblem(with(key))).startsWith(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            prompt: [a]             | agents.dev.prompt: expected text, found a list
            output: claude          | agents.dev.output: expected one of text, claude-code, codex, opencode, gemini, found "claude"
            signal: true            | agents.dev.signal: expected text, found true or false
            signal: .loopkeeper/    | agents.dev.signal: names a folder; give a file, e.g. .loopkeeper/dev.json
            signal: .loopkeeper     | agents.dev.signal: names a folder
            signal: out/..          | agents.dev.signal: names a folder
            signal: .               | agents.dev.signal: names a folder
            cwd: 1                  | agents.dev.cwd: expected text
            env: 1                  | agents.dev.env: expected a map
            stop: TERM              | agents.dev.stop: expected a map with the keys signal, grace, found text
            stop: {signal: SIGTERM} | agents.dev.stop.signal: expected one of TERM, INT, HUP, QUIT, USR1, USR2, KILL, found "SIGTERM" (did you mean TERM?)
            stop: {grace: soon}     | agents.dev.stop.grace: expected a duration
            timeout: 0s             | agents.dev.timeout: expected a duration above zero
            idleTimeout: 10         | agents.dev.idleTimeout: expected a duration
            idle_timeout: 10m       | agents.dev.idle_timeout: unknown key
            fallback: judge         | agents.dev.fallback: expected a list, found text
            fallback: [juge]        | agents.dev.fallback[0]: no agent is named "juge"; declare it under agents (did you mean judge?)
            fallback: [dev]         | agents.dev.fallback: fallbacks form a cycle: dev -> dev
            escalate: judge         | agents.dev.escalate: expected a map with the keys after, to, found text
            escalate: {after: 2}    | agents.dev.escalate.to: to is missing; name the agent that takes over
            escalate: {to: juge}    | agents.dev.escalate.to: no agent is named "juge"; declare it under agents (did you mean judge?)
            escalate: {to: dev}     | agents.dev.escalate: escalations form a cycle: dev -> dev
            escalate: {after: 0, to: judge} | agents.dev.escalate.after: expected a whole number
            containment: docker     | agents.dev.containment: expected one of session, namespace
            sandbox: strict         | agents.dev.sandbox: expected one of workspace, off
            sandbox: {wirte: [.]}   | agents.dev.sandbox.wirte: unknown key "wirte"
            sandbox: {network: tcp} | agents.dev.sandbox.network: expected one of on, off
            protect: tests/**       | agents.dev.protect: expected a list, found text
            onRuntimeDeath: stop    | agents.dev.onRuntimeDeath: expected one of keep, kill
            onNodeLoss: move        | agents.dev.onNodeLoss: expected one of pause, retry
            nudge: 4                | agents.dev.nudge: expected a whole number from 0 to 3
            resume: []              | agents.dev.resume: expected a command, found no program
            session: old            | agents.dev.session: expected one of fresh, afterInterruption, continue
            session: continue, output: codex | agents.dev.session: is continue, but resume is missing
            session: continue, resume: [dev] | agents.dev.session: is continue, but output is text, which reports no session
            """)
    void aBadKeyOfAnAgentIsNamed(String keys, String expected) {
        assertThat(onlyProblem(withAgent(keys))).startsWith(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/**",
                "~/x",
                "!tests",
                "../x",
                "./../x",
                ".",
                "a/../b",
                "a/..",
                "a//b",
                "*.{js,ts}",
                "a\\\\b",
                "a\\nb"
            })
    void aGlobThatFitsNoFileOfTheWorkspaceIsRefused(String glob) {
        String expected = "expected a path in the workspace with *, ** or ?";

        assertThat(onlyProblem(with("protect: [\"" + glob + "\"]"))).startsWith("protect[0]: " + expected);
        assertThat(onlyProblem(withAgent("protect: [./tests/, \"" + glob + "\"]")))
                .startsWith("agents.dev.protect[1]: " + expected);
        assertThat(onlyProblem(withAgent("sandbox: {protect: [\"" + glob + "\"]}")))
                .startsWith("agents.dev.sandbox.protect[0]: " + expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {task: dev}                                | phases[0].name: name is missing
            {name: a b, task: dev}                     | phases[0].name: expected a name of letters
            {name: build}                              | phases[0]: expected exactly one of task, loop, each and gate, found none
            {name: build, task: dev, gate: dev}        | phases[0]: expected exactly one of task, loop, each and gate, found task and gate
            {name: build, task: deb}                   | phases[0].task: no agent is named "deb"; declare it under agents (did you mean dev?)
            {name: build, task: [dev]}                 | phases[0].task: expected the name of an agent, found a list
            {name: build, task: dev, retries: 2}       | phases[0].retries: only a gate has retries
            {name: build, gate: dev, retries: -1}      | phases[0].retries: expected a whole number from 0
            {name: build, task: dev, critical: 1}      | phases[0].critical: expected true or false, found a whole number
            {name: build, task: dev, taks: dev}        | phases[0].taks: unknown key
            {name: build, loop: [dev]}                 | phases[0].loop: expected a map with the keys
            {name: build, loop: {}}                    | phases[0].loop.steps: steps is missing
            {name: build, loop: {steps: []}}           | phases[0].loop.steps: expected at least one step
            {name: build, loop: {steps: [dev, nobody]}} | phases[0].loop.steps[1]: no agent is named "nobody"
            {name: build, loop: {steps: [{every: 2}]}} | phases[0].loop.steps[0].agent: agent is missing
            {name: build, loop: {steps: [{agent: dev, every: 0}]}} | phases[0].loop.steps[0].every: expected a whole number from 1
            {name: build, loop: {steps: [{agent: dev, when: asked}]}} | phases[0].loop.steps[0].when: expected one of requested
            {name: build, loop: {steps: [dev], maxIterations: -1}} | phases[0].loop.maxIterations: expected a whole number from 0
            {name: build, loop: {steps: [dev], maxIteration: 3}} | phases[0].loop.maxIteration: unknown key
            {name: build, loop: {steps: [dev], pauseEvery: x}} | phases[0].loop.pauseEvery: expected a whole number, found text
            {name: build, loop: {steps: [dev], noProgress: 99999999999}} | phases[0].loop.noProgress: expected a whole number from 0 to 2147483647
            {name: build, loop: {steps: [dev], onStalled: end}} | phases[0].loop.onStalled: expected one of continue, pause, stop
            {name: build, loop: {steps: [dev], until: done}} | phases[0].loop.until: expected one of signal, iterations
            {name: build, loop: {steps: [dev], until: {}}} | phases[0].loop.until: expected exactly one of output and command
            {name: build, loop: {steps: [dev], until: {output: ''}}} | phases[0].loop.until.output: expected text, found none
            {name: build, each: {steps: [dev]}}        | phases[0].each: expected exactly one of items and itemsFrom
            {name: build, each: {items: [], itemsFrom: x, steps: [dev]}} | phases[0].each: expected exactly one of items and itemsFrom
            {name: build, each: {items: [], steps: []}} | phases[0].each.steps: expected at least one step
            {name: build, each: {items: [], steps: [{agent: dev}]}} | phases[0].each.steps[0]: expected the name of an agent, found a map
            {name: build, each: {items: [], steps: [dev], maxAttempts: 0}} | phases[0].each.maxAttempts: expected a whole number from 1
            {name: build, each: {items: [], steps: [dev], concurrency: 0}} | phases[0].each.concurrency: expected a whole number from 1
            {name: build, each: {items: [f1], steps: [dev]}} | phases[0].each.items[0]: expected a map with the keys id, dependsOn, vars, found text
            {name: build, each: {items: [{}], steps: [dev]}} | phases[0].each.items[0].id: id is missing
            {name: build, each: {items: [{id: a/b}], steps: [dev]}} | phases[0].each.items[0].id: expected an id
            {name: build, each: {items: [{id: a}, {id: a}], steps: [dev]}} | phases[0].each.items[1].id: the id "a" is taken
            {name: build, each: {items: [{id: a, dependsOn: [b]}], steps: [dev]}} | phases[0].each.items[0].dependsOn[0]: no item of this phase has the id "b"
            {name: build, each: {items: [{id: a, dependsOn: [b]}, {id: b, dependsOn: [a]}], steps: [dev]}} | phases[0].each.items[0].dependsOn: dependencies form a cycle: a -> b -> a
            """)
    void aBadKeyOfAPhaseIsNamed(String phase, String expected) {
        assertThat(onlyProblem(withPhase(phase))).startsWith(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dev                | agents.dev: expected a map with the keys command
            {}                 | agents.dev.command: command is missing
            {command: []}      | agents.dev.command: expected a command, found no program
            {command: ['']}    | agents.dev.command: expected a command, found no program
            {command: ''}      | agents.dev.command: expected text, found none
            {command: {a: b}}  | agents.dev.command: expected a command: a list of words, or a text for the shell, found a map
            {command: [[a]]}   | agents.dev.command[0]: expected text, found a list
            """)
    void aBadAgentIsNamed(String agent, String expected) {
        assertThat(problems(with("").replace("{command: [dev]}", agent)).get(0).text())
                .startsWith(expected);
    }

    @Test
    void phasesHaveDifferentNames() {
        assertThat(onlyProblem(withPhase("{name: a, task: dev}\n  - {name: a, task: dev}")))
                .startsWith("phases[1].name: the name \"a\" is taken by a phase above");
    }

    @Test
    void whatIsMissingAtTheTopIsReportedAtOnce() {
        assertThat(problems("workspace: ."))
                .extracting(ManifestProblem::path)
                .containsExactlyInAnyOrder("agents", "name", "phases");
    }

    @Test
    void problemsComeInTheOrderOfTheDocument() {
        String text = """
                phases: [{name: build, task: nobody}]
                nmae: demo
                name: -demo
                budget: {tokens: x, costUsd: y}
                agents: {dev: {command: [dev], ouput: text}}
                """;

        assertThat(problems(text))
                .extracting(ManifestProblem::path)
                .containsExactly(
                        "phases[0].task", "nmae", "name", "budget.tokens", "budget.costUsd", "agents.dev.ouput");
    }

    @Test
    void aNameIsAtMostSixtyFourCharacters() {
        assertThat(onlyProblem("name: " + "a".repeat(65) + "\n" + ManifestTexts.REST))
                .startsWith("name: ");
        assertThat(ManifestTexts.valid("name: " + "a".repeat(64) + "\n" + ManifestTexts.REST)
                        .name())
                .hasSize(64);
    }

    @ParameterizedTest
    @CsvSource({"[], a list", "text, text", "'', nothing", "null, nothing", "{}, an empty map"})
    void reportsADocumentThatIsNoMap(String text, String kind) {
        assertThat(onlyProblem(text)).isEqualTo("expected a manifest with name, agents and phases, found " + kind);
    }
}
