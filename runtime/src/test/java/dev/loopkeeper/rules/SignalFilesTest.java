package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.SignalClaim;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two runs never use one signal file at a time, and neither do two steps of one run. */
class SignalFilesTest {
    private static final String LOOP = Manifests.loop("maxIterations: 5");
    private static final String OTHER = "other-1";

    private static RunKit paused() {
        return RunKit.started(LOOP).pause().ends("dev", exit(0)).signalInUse("/work/judge.json", OTHER);
    }

    private static RunKit stopped() {
        return RunKit.started(LOOP).stop().ends("dev", exit(0)).signalInUse("/work/judge.json", OTHER);
    }

    @Test
    void aResumeIsRefusedWhileAnotherRunHasTheSignalFile() {
        for (RunKit run : List.of(paused(), stopped())) {
            Refusal refusal = run.resume(Resume.plain()).refused();

            assertThat(refusal.code()).isEqualTo(RefusalCode.SIGNAL_IN_USE);
            assertThat(refusal.message()).contains("/work/judge.json", OTHER, "{{runId}}");
            assertThat(refusal.details()).containsEntry("runId", OTHER);
            assertThat(run.types()).isEmpty();
            assertThat(run.placeFree(true).resume(Resume.plain()).status()).isEqualTo(RunStatus.RUNNING);
        }
    }

    @Test
    void whatOnlyEndsOrAsksNeedsNoSignalFile() {
        assertThat(paused().resume(Resume.with(ResumeAction.STOP_LOOP_NOW)).subtype())
                .isEqualTo("error_operator_stop");
        assertThat(paused().resume(Resume.plain().dryRun()).last().preview()).isPresent();
    }

    @Test
    void anAcceptedRunWaitsAsQueuedUntilTheSignalFileIsFree() {
        RunKit run = RunKit.queued(LOOP).signalInUse("/work/judge.json", OTHER).start();
        assertThat(run.types()).containsExactly("run.queued");
        assertThat(run.start().types()).isEmpty();
        assertThat(run.resume(Resume.plain()).types()).isEmpty();
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);

        assertThat(run.placeFree(true).start().types()).contains("run.started", "step.started");
    }

    @Test
    void aPauseThatEndsAutomaticallyWaitsForTheSignalFile() {
        RunKit run = RunKit.started("retry: {transient: {max: 0}}\n" + LOOP);
        StepEnd away = StepEnd.window(RunKit.BEGIN.plusSeconds(60));
        run.ends("dev", away).ends("cheap", away);
        assertThat(run.paused().resumeAt()).isPresent();

        run.signalInUse("/work/judge.json", OTHER).later(Duration.ofMinutes(2)).timer();
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);

        assertThat(run.placeFree(true).start().open()).hasSize(1);
    }

    @Test
    void aRunUnderWayKeepsItsSignalFiles() {
        RunKit run = RunKit.started(LOOP).signalInUse("/work/judge.json", OTHER);

        assertThat(run.ends("dev", exit(0)).open()).containsExactly("build.1.judge.1");
    }

    @Test
    void theRunIdInAPathMakesItTheRunsOwn() {
        String yaml = Manifests.phases("{name: plan, task: judge}").replace("judge.json", "'signals/{{ runId }}.json'");

        assertThat(RunKit.started(yaml).launched().agentSpec().program().signal())
                .hasValue("signals/run-1.json");
        assertThat(ahead(RunKit.queued(yaml))).containsExactly("signals/run-1.json");
    }

    @Test
    void onlyTheWorkAheadAndWhatIsOpenCounts() {
        String yaml = Manifests.phases(
                "{name: plan, task: architect}", "{name: check, task: judge}", "{name: ok, gate: audit}");
        RunKit run = RunKit.started(yaml);
        assertThat(ahead(run)).containsExactly("architect.json", "judge.json", "audit.json");

        run.ends("architect", signal("status: completed"));
        assertThat(ahead(run)).containsExactly("judge.json", "audit.json");

        run.ends("judge", signal("verdict: approved"));
        assertThat(ahead(run)).as("a gate may send it back").containsExactlyInAnyOrder("audit.json", "judge.json");
    }

    @Test
    void aConsultedAgentCountsToo() {
        RunInput ask = new RunInput.Resume(
                RunKit.BEGIN, Resume.with(ResumeAction.REFINE_PLAN).request());

        assertThat(SignalFiles.ahead(paused().state(), ask)).containsExactly("judge.json", "architect.json");
    }

    @Test
    void itemsThatRunAtOnceHaveAFileEachAndTheRunHasThemAll() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"));

        run.ends("frames.f1.dev.1", exit(0)).ends("frames.f2.dev.1", exit(0));

        assertThat(run.commands(RunCommand.Launch.class)).hasSize(1);
        assertThat(run.launched().agentSpec().program().signal()).hasValue("audit.f2.json");
        assertThat(ahead(run)).containsExactly("audit.f1.json", "audit.f2.json");
    }

    @Test
    void itemsOneAfterTheOtherUseTheDeclaredFile() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}", "concurrency: 1"));

        assertThat(run.ends("dev", exit(0)).launched().agentSpec().program().signal())
                .hasValue("audit.json");
        assertThat(ahead(run)).containsExactly("audit.json");
    }

    /** {@code s.json} for item {@code x.y} and {@code s.x.json} for item {@code y} are both {@code s.x.y.json}. */
    @Test
    void twoItemsWhoseFilesHappenToBeOneTakeTurns() {
        String agents = """
                name: demo
                agents:
                  one: {command: [one], signal: s.json}
                  two: {command: [two], signal: s.x.json}
                phases:
                  - {name: frames, each: {steps: [one, two], items: [{id: y}, {id: x.y}], concurrency: 2}}
                """;
        RunKit run = RunKit.started(agents);
        assertThat(run.open()).containsExactlyInAnyOrder("frames.y.one.1", "frames.x.y.one.1");

        run.ends("frames.y.one.1", signal("verdict: approved"));
        assertThat(run.open()).as("the other item writes that file").containsExactly("frames.x.y.one.1");

        run.ends("frames.x.y.one.1", signal("verdict: approved"));
        assertThat(run.open()).contains("frames.y.two.1");
    }

    @Test
    void aFileIsTheSameByAnyOfItsIdentities() {
        SignalClaim wanted = new SignalClaim("/work/link/dev.json", Set.of("/work/real/dev.json", "inode 7"));
        assertThat(SignalInUse.of("mine", List.of(wanted), Map.of("inode 7", OTHER)))
                .hasValue(new SignalInUse("/work/link/dev.json", OTHER));
        assertThat(SignalInUse.of("mine", List.of(wanted), Map.of("/work/link/dev.json", OTHER)))
                .isEmpty();
        assertThat(SignalInUse.of("mine", List.of(wanted), Map.of("inode 7", "mine")))
                .isEmpty();
    }

    private static Set<String> ahead(RunKit run) {
        return SignalFiles.ahead(run.state(), new RunInput.Start(RunKit.BEGIN));
    }
}
