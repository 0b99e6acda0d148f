package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.LaunchContextTest.context;
import static dev.loopkeeper.rules.StepEnd.by;
import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which agent works after tries that were STALLED or rejected. */
class EscalationTest {
    private static final String AGENTS = """
            name: demo
            retry: {transient: {max: 0}, stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0, maxRetryRate: 0, circuitBreaker: 0}}
            agents:
              dev: {command: [dev], escalate: {after: 2, to: strong}, output: codex, session: continue, resume: [dev, "{{session.id}}"]}
              strong: {command: [strong], signal: strong.json, escalate: {after: 1, to: best}, fallback: [spare], output: codex, session: continue, resume: [strong, "{{session.id}}"]}
              best: {command: [best]}
              spare: {command: [spare]}
              judge: {command: [judge], signal: judge.json, escalate: {after: 3, to: chief}}
              chief: {command: [chief], signal: judge.json}
            phases:
            """;
    private static final String LOOP =
            AGENTS + "- {name: build, loop: {steps: [dev, judge], maxIterations: 99, noProgress: 0}}\n";
    private static final String EACH = AGENTS
            + "- {name: frames, each: {items: [{id: f1}, {id: f2}], steps: [dev, judge], maxAttempts: 9, concurrency: 2}}\n";
    private static final Map<Character, StepEnd> ENDS = Map.of(
            'S', signal("determination: STALLED"),
            'r', signal("verdict: rejected"),
            'f', signal("verdict: failed"),
            'P', signal("determination: PROGRESS"),
            'M', signal("determination: MILESTONE_SUCCESS"));

    /** The agents that are launched; each letter of the verdicts is that of one try. */
    private static String agents(RunKit run, String verdicts) {
        for (char verdict : verdicts.toCharArray()) {
            run.ends(agent(run), signal("determination: PROGRESS")).ends(agent(run), ENDS.get(verdict));
            run.crash(); // the runtime is killed after each try
        }
        return agent(run);
    }

    private static String agent(RunKit run) {
        return run.state().steps().get(run.open().get(0)).agent();
    }

    @ParameterizedTest
    @CsvSource({
        "'', dev",
        "S, dev",
        "SS, strong",
        "rr, strong",
        "Sr, strong",
        "SPS, dev",
        "SfS, dev",
        "PSS, strong",
        "SSP, strong",
        "SSPP, strong",
        "SSPPPPPPPPPPPPPPPPPPPPPPPP, strong",
        "SSPS, best",
        "SSS, best",
        "SSSSSS, best",
        "SSM, dev",
        "SSSM, dev",
        "SSMS, dev",
        "SSMSS, strong",
        "SSff, strong"
    })
    void theVerdictsOfALoopSayWhoWorks(String verdicts, String agent) {
        assertThat(agents(RunKit.started(LOOP), verdicts)).isEqualTo(agent);
    }

    @Test
    void eachAgentOfALoopHasItsOwnCount() {
        RunKit run = RunKit.started(LOOP);
        agents(run, "SSS");

        run.ends("best", exit(0));

        assertThat(run.open()).containsExactly("build.4.chief.1");
        assertThat(context(run).escalatedFrom()).contains("judge");
    }

    @Test
    void anItemHasItsOwnCount() {
        RunKit run = RunKit.started(EACH);
        for (int attempt = 1; attempt <= 2; attempt++) {
            run.ends("frames.f1.dev." + attempt, exit(0))
                    .ends("frames.f1.judge." + attempt, ENDS.get('r'))
                    .crash();
        }
        assertThat(run.open()).containsExactlyInAnyOrder("frames.f2.dev.1", "frames.f1.strong.3");

        run.ends("frames.f2.dev.1", exit(0))
                .ends("frames.f2.judge.1", ENDS.get('f'))
                .ends("frames.f1.strong.3", signal("verdict: approved"))
                .ends("frames.f1.judge.3", signal("verdict: approved"));

        assertThat(run.open()).containsExactly("frames.f2.dev.2");
    }

    @Test
    void aResetItemBeginsWithItsFirstAgent() {
        RunKit run = RunKit.started(EACH.replace("maxAttempts: 9", "maxAttempts: 2"));
        for (String item : List.of("f1", "f2")) {
            run.ends("frames." + item + ".dev.1", exit(0)).ends("frames." + item + ".judge.1", ENDS.get('r'));
            run.ends("frames." + item + ".dev.2", exit(0)).ends("frames." + item + ".judge.2", ENDS.get('r'));
        }
        RunKit raised = run.resume(Resume.plain().maxAttempts(3).resetItems("f2"));

        assertThat(raised.open()).containsExactlyInAnyOrder("frames.f1.strong.3", "frames.f2.dev.1-2");
    }

    @Test
    void aGateIsEvaluatedByTheStrongerAgent() {
        RunKit run =
                RunKit.started(AGENTS + "- {name: plan, task: spare}\n- {name: verify, gate: judge, retries: 9}\n");
        for (int attempt = 1; attempt <= 3; attempt++) {
            run.ends("spare", exit(0)).ends("judge", ENDS.get('r'));
        }

        assertThat(run.ends("spare", exit(0)).open()).containsExactly("verify.chief.1");
    }

    @Test
    void contextHistoryAndEventSayWhoTookOver() {
        RunKit run = RunKit.started(LOOP);
        agents(run, "SSP");
        LaunchContext context = context(run);

        assertThat(context.escalatedFrom()).contains("dev");
        assertThat(context.history())
                .extracting(LaunchContext.Earlier::escalated)
                .containsExactly(List.of(), List.of(), List.of("strong"));
        assertThat(run.history().stream()
                        .filter(StepStarted.class::isInstance)
                        .map(event -> ((StepStarted) event).text()))
                .contains("step build.1.dev.1 started", "step build.3.strong.1 started, takes over from dev");
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());
    }

    @Test
    void anotherAgentBeginsItsOwnSession() {
        RunKit run = RunKit.started(LOOP);
        run.ends("dev", exit(0).in("d1", Optional.empty())).ends("judge", ENDS.get('S'));
        assertThat(run.launched().continues()).isPresent();
        run.ends("dev", exit(0).in("d1", Optional.of("build.1.dev.1"))).ends("judge", ENDS.get('S'));
        assertThat(run.launched().continues()).isEmpty();

        run.ends("strong", ENDS.get('P').in("s1", Optional.empty())).ends("judge", ENDS.get('P'));
        assertThat(run.launched().continues().orElseThrow().id()).isEqualTo("s1");

        run.ends("strong", ENDS.get('M').in("s1", Optional.of("build.3.strong.1")))
                .ends("judge", ENDS.get('M'));
        assertThat(run.launched().continues().orElseThrow().id()).isEqualTo("d1");
    }

    @Test
    void aNudgeAndAResumeLaunchTheAgentThatTookOver() {
        RunKit run = RunKit.started(LOOP);
        agents(run, "SS");
        run.ends("strong", silent(SignalDetail.ABSENT));
        assertThat(run.open()).containsExactly("build.3.strong.1-2");

        run.ends("strong", silent(SignalDetail.ABSENT)).resume(Resume.with(ResumeAction.RETRY_ITERATION));
        assertThat(run.open()).containsExactly("build.3.strong.2");
    }

    @Test
    void theFallbackOfTheAgentThatTookOverIsItsOwn() {
        RunKit run = RunKit.started(LOOP);
        agents(run, "SS");

        run.ends("strong", provider(OptionalLong.empty()))
                .later(Duration.ofMinutes(1))
                .timer();

        assertThat(run.open()).containsExactly("build.3.spare.1");
        assertThat(context(run).escalatedFrom()).contains("dev");
    }

    @Test
    void thePermitIsRequestedForTheAgentThatTookOver() {
        RunKit run = RunKit.started(LOOP).guarded("strong");
        run.ends("dev", exit(0))
                .ends("judge", ENDS.get('S'))
                .ends("dev", exit(0))
                .ends("judge", ENDS.get('S'));
        assertThat(run.asked()).containsExactly("loop/build/3//0");

        assertThat(run.crash().asked()).containsExactly("loop/build/3//0");
        assertThat(run.permitted().open()).containsExactly("build.3.strong.1");
    }

    @Test
    void aChangedManifestSaysWhoTakesOver() {
        RunKit run = RunKit.started(LOOP);
        agents(run, "SS");
        run.stop().ends("strong", by(ExitCause.STOPPED));

        run.resume(Resume.plain().manifest(LOOP.replace("to: strong", "to: spare")));

        assertThat(agent(run)).isEqualTo("spare");
    }

    @Test
    void theSignalFilesOfAgentsThatMayTakeOverAreClaimed() {
        RunKit run = RunKit.started(LOOP);

        assertThat(SignalFiles.ahead(run.state(), new RunInput.TimerDue(run.now())))
                .containsExactlyInAnyOrder("strong.json", "judge.json");
    }
}
