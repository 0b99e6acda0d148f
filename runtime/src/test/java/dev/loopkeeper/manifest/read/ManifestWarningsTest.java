package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.TemplateNames;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestWarningsTest {
    private static final String HEAD = "name: x\nagents: {dev: {command: [dev], signal: ./s.json},"
            + " judge: {command: [judge], signal: s.json}, other: {command: [x, 'p {{iterations}} {{.Names}} {{gopher}}'],"
            + " timeout: 1m, idleTimeout: 2m}}\n";

    private static ObjectNode document(String text) {
        return (ObjectNode) ((DocumentReading.Parsed) ManifestText.parse(text)).document();
    }

    private static Manifest read(ObjectNode document) {
        return ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
    }

    private static List<String> warnings(String text) {
        ObjectNode document = document(text);
        return ManifestWarnings.of(document, read(document)).stream()
                .map(ManifestProblem::path)
                .toList();
    }

    @Test
    void whatNothingEndsIsWarnedOf() {
        String plain = "name: x\nagents: {dev: {command: [dev]}}\nphases: [{name: p, task: dev}]\n";

        assertThat(warnings(plain)).containsExactly("");
        assertThat(warnings(plain + "budget: {turns: 5}\n")).isEmpty();
        assertThat(warnings(plain.replace("[dev]", "[dev], idleTimeout: 5m"))).isEmpty();
    }

    @Test
    void aWebhookOnAnotherHostWithoutEncryptionIsWarnedOf() {
        String start = "name: x\nagents: {dev: {command: [dev]}}\nphases: [{name: p, task: dev}]\nbudget: {turns: 5}\n"
                + "notify: [{webhook: '";

        assertThat(warnings(start + "http://hooks.example/a', format: slack}]")).containsExactly("notify[0].webhook");
        for (String address : List.of("https://hooks.example/a", "http://127.0.0.1:9000/a", "env:SLACK_URL")) {
            assertThat(warnings(start + address + "', format: slack}]"))
                    .as(address)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            protect: [tests]                                |
                                                            | , protect: [tests]
            """)
    void parallelItemsThatShareAProtectedWorkspaceAreWarnedOf(String ofManifest, String ofAgent) {
        String text = "name: x\nagents: {dev: {command: [dev]" + (ofAgent == null ? "" : ofAgent) + "}}\n"
                + (ofManifest == null ? "" : ofManifest + "\n")
                + "budget: {turns: 5}\nphases: [{name: p, each: {items: [{id: a}, {id: b}], steps: [dev], concurrency: 2}}]\n";

        assertThat(warnings(text)).containsExactly("phases[0].each.concurrency");
        assertThat(warnings(text.replace("concurrency: 2", "concurrency: 1"))).isEmpty();
        assertThat(warnings(text.replace("tests]", "]"))).isEmpty();
        assertThat(warnings(text + "isolation: {git: worktree}\n")).isEmpty();
    }

    @Test
    void limitsThatContradictEachOtherAreWarnedOf() {
        assertThat(warnings(HEAD + "phases: [{name: b, loop: {steps: [dev], maxIterations: 60, noProgress: 70,"
                        + " pauseEvery: 80}}]\nretry: {stopConditions: {circuitBreaker: 50}}\n"))
                .containsExactly(
                        "agents.other.idleTimeout",
                        "agents.other.command",
                        "phases[0].loop.maxIterations",
                        "phases[0].loop.noProgress",
                        "phases[0].loop.pauseEvery");
    }

    @Test
    void aCommandIsNoTemplateAndItsEnvironmentHasNoVariables() {
        ObjectNode document = document("""
                name: x
                budget: {turns: 5}
                vars: {scope: docs}
                agents: {dev: {command: [dev, '{{vars.scope}}', '{{runId}}']}}
                phases: [{name: p, task: dev}]
                """);

        assertThat(ManifestWarnings.of(document, read(document)))
                .extracting(ManifestProblem::message)
                .containsExactly(
                        "{{vars.scope}} is not replaced: a command is not a template; variables are for prompts only",
                        "{{runId}} is not replaced: a command is not a template; its environment has the values as"
                                + " LOOPKEEPER_...");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '{{session.id}}'            | d                | ''
            '{{ session.id }}'          | d                | ''
            '{{session.idd}}'           | d                | 'resume: {{session.idd}} is not, resume: does not contain {{session.id}}'
            'session.id'                | d                | 'resume: does not contain {{session.id}}'
            '{{session.id}} {{feedbak}}' | d               | 'resume: {{feedbak}} is not'
            '{{session.id}} {{.Names}}' | d                | ''
            '{{session.id}}'            | '{{session.id}}' | 'command: {{session.id}}'
            '{{session.id}}'            | '{{session.idd}}' | 'command: {{session.idd}} is not'
            """)
    void aNameThatACommandDoesNotReplaceIsWarnedOf(String resume, String command, String expected) {
        ObjectNode document = document("""
                name: x
                budget: {turns: 5}
                agents: {dev: {command: [dev, '%s'], output: codex, session: continue, resume: [dev, '%s']}}
                phases: [{name: b, loop: {steps: [dev]}}]
                """.formatted(command, resume));

        assertThat(ManifestWarnings.of(document, read(document)).stream()
                        .map(warning -> warning.path().replace("agents.dev.", "") + ": "
                                + warning.message().replaceAll("( is not|id}}).*", "$1"))
                        .collect(Collectors.joining(", ")))
                .isEqualTo(expected);
    }

    @Test
    void warnsOfASessionThatCannotContinue() {
        ObjectNode document = document("""
                name: x
                budget: {turns: 5}
                isolation: {git: worktree}
                agents:
                  dev: {command: [dev], output: codex, session: continue, resume: [dev, resume]}
                phases: [{name: parts, each: {steps: [dev], items: [{id: a}]}}]
                """);

        assertThat(ManifestWarnings.of(document, read(document)))
                .extracting(ManifestProblem::path)
                .containsExactly("agents.dev.resume", "agents.dev.session");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | loop: {steps: [dev]}                                     | no agent of p declares a signal
            1 | loop: {steps: [dev], maxIterations: 1}                   | maxIterations ends p after 1 rejected tries
            2 | loop: {steps: [dev], maxIterations: 3}                   | ''
            3 | loop: {steps: [dev, dev], maxIterations: 0}              | retry.stopConditions.maxConsecutiveFails ends p after 3
            2 | each: {steps: [dev], items: [{id: a}]}                   | ''
            2 | each: {steps: [dev], items: [{id: a}], maxAttempts: 2}   | maxAttempts ends p after 2 rejected tries
            9 | task: dev                                                | ''
            """)
    void anAgentThatNeverTakesOverIsWarnedOf(int after, String phase, String expected) {
        String signal = expected.endsWith("signal") ? "" : "signal: s.json";
        ObjectNode document = document("""
                name: x
                budget: {turns: 5}
                agents: {dev: {command: [dev], escalate: {after: %d, to: strong}}, strong: {command: [strong], %s}}
                phases: [{name: p, %s}]
                """.formatted(after, signal, phase));

        assertThat(ManifestWarnings.of(document, read(document)))
                .hasSize(expected.isEmpty() ? 0 : 1)
                .allSatisfy(warning -> {
                    assertThat(warning.path()).startsWith("agents.dev.escalate");
                    assertThat(warning.message()).contains(expected, "strong never takes over");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            loop: {steps: [dev], maxIterations: 8}                                       |
            loop: {steps: [dev, dev], maxIterations: 4}                                  |
            loop: {steps: [dev, {agent: dev, every: 2}], maxIterations: 8}               |
            loop: {steps: [dev, dev], maxIterations: 5}                                  | phases[0].loop.maxIterations
            each: {steps: [dev], items: [{id: a}, {id: b}, {id: c}, {id: d}]}            |
            each: {steps: [dev, dev, dev], items: [{id: a}, {id: b}, {id: c}]}           | phases[0].each.items
            """)
    void aCircuitBreakerBelowWhatThePhaseNeedsIsWarnedOf(String phase, String path) {
        String plain = """
                name: x
                budget: {turns: 5}
                agents: {dev: {command: [dev]}}
                retry: {stopConditions: {circuitBreaker: 8}}
                phases: [{name: b, %s}]
                """.formatted(phase);

        assertThat(warnings(plain)).isEqualTo(path == null ? List.of() : List.of(path));
    }

    /** A person means a home folder, or an empty variable. */
    @Test
    void aValueThatIsNullIsWarnedOf() {
        String plain = """
                name: x
                workspace: ~
                env: {HOME: ~, LANG: C}
                vars: {goal: null}
                budget: {turns: 5}
                agents: {dev: {command: [dev], cwd: ~, env: {KEY: }}}
                phases: [{name: p, task: dev}]
                """;

        assertThat(warnings(plain))
                .containsExactly("workspace", "env.HOME", "vars.goal", "agents.dev.cwd", "agents.dev.env.KEY");
    }

    @Test
    void aNameInThePathOfASignalThatIsNotReplacedIsWarnedOf() {
        String plain = """
                name: x
                budget: {turns: 5}
                agents: {dev: {command: [dev], signal: 's/{{runId}}.json'}}
                phases: [{name: p, task: dev}]
                """;

        assertThat(warnings(plain)).isEmpty();
        assertThat(warnings(plain.replace("runId", "runid"))).containsExactly("agents.dev.signal");
        assertThat(warnings(plain.replace("runId", "item.id"))).containsExactly("agents.dev.signal");
    }

    @Test
    void retriesOfAGateThatHasNoPhaseBeforeItAreWarnedOf() {
        String plain = """
                name: x
                budget: {turns: 5}
                agents: {dev: {command: [dev]}}
                phases: [{name: check, gate: dev}, {name: work, task: dev}, {name: verify, gate: dev, retries: 2}]
                """;

        assertThat(warnings(plain)).isEmpty();
        assertThat(warnings(plain.replace("check, gate: dev", "check, gate: dev, retries: 2")))
                .containsExactly("phases[0].retries");
        assertThat(warnings(plain.replace("check, gate: dev", "check, gate: dev, retries: 0")))
                .isEmpty();
    }

    @Test
    void oneSignalFileForTwoAgentsOfALoopIsWarnedOf() {
        assertThat(warnings(HEAD + "phases: [{name: b, loop: {steps: [dev, judge]}}]\n"))
                .contains("agents.judge.signal");
        assertThat(warnings(HEAD + "phases: [{name: b, task: dev}, {name: c, task: judge}]\n"))
                .doesNotContain("agents.judge.signal");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            loop: {steps: [dev]}                                   | 50
            loop: {steps: [dev], maxIterations: 10}                | 50
            loop: {steps: [dev, judge], maxIterations: 60}         | 240
            loop: {steps: [dev], maxIterations: 0}                 | 1000
            loop: {steps: [dev, judge, dev]}                       | 120
            each: {steps: [dev], items: [{id: a}], maxAttempts: 40} | 80
            loop: {steps: [dev], maxIterations: 20}}, {name: g, gate: judge, retries: 2 | 126
            task: dev}, {name: g, gate: judge, retries: 30         | 124
            """)
    void theCircuitBreakerLetsTheLimitsOfTheManifestBeReached(String phase, int expected) {
        ObjectNode document = document(HEAD + "phases: [{name: b, " + phase + "}]\n");

        assertThat(CircuitBreakers.resolve(document, read(document))).isEqualTo(expected > 50);

        assertThat(read(document).retry().stopConditions().circuitBreaker()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "stopConditions, circuitBreaker, 7",
        "stop_conditions, circuitBreaker, 7",
        "stopConditions, circuitBreaker, null"
    })
    void aCircuitBreakerThatIsSetStays(String conditions, String key, String value) {
        ObjectNode document = document(HEAD + "phases: [{name: b, loop: {steps: [dev], maxIterations: 60}}]\nretry: {"
                + conditions + ": {" + key + ": " + value + "}}\n");
        ObjectNode before = document.deepCopy();

        assertThat(CircuitBreakers.resolve(document, read(document))).isFalse();

        assertThat(document).isEqualTo(before);
    }

    @Test
    void anUnknownNameIsReportedWithItsLineAndTheNearest() {
        List<TemplateNames.Unknown> unknown = TemplateNames.unknown(
                "{{iteration}}\n\\{{nobody}}\n {{iterations}} {{vars.y}}", TemplateNames.ofPrompt(Set.of("x")));

        assertThat(unknown).extracting(TemplateNames.Unknown::name).containsExactly("iterations", "vars.y");
        assertThat(unknown).extracting(TemplateNames.Unknown::line).containsExactly(3, 3);
        assertThat(unknown.get(0).nearest()).contains("iteration");
        assertThat(unknown.get(1).nearest()).contains("vars.x");
    }
}
