package dev.loopkeeper.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class StopTest extends SupervisorHarness {
    /** Longer than a process that ends by the first signal may need on a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(50);

    @Test
    void aPoliteTreeEndsByTheFirstSignalAndIsNamedInTheReceipt() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("sleep 60 & echo $! >child; wait")
                .stopping("TERM", LONG)
                .build();
        long leader = runtime.launch(step).pid().orElseThrow();
        long child = Long.parseLong(written("child"));
        // The shell writes the pid before its child has become the other program.
        untilSleeping(child);

        KillReceipt receipt = runtime.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.processes()).extracting(KilledProcess::pid).contains(leader, child);
        assertThat(receipt.processes()).allSatisfy(process -> {
            assertThat(process.foundBy()).isEqualTo("group");
            assertThat(process.signals()).containsExactly("TERM");
            assertThat(process.goneAt()).isPresent();
        });
        assertThat(receipt.requestedAt())
                .as("milliseconds, as all times that are told")
                .isEqualTo(receipt.requestedAt().truncatedTo(ChronoUnit.MILLIS));
        assertThat(receipt.processes())
                .extracting(KilledProcess::command)
                .allMatch(command -> command.contains("sleep 60"));
        StepExited exit = runtime.exitOf(step);
        assertThat(exit.process().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(exit.process().exitCode()).hasValue(143);
        assertThat(exit.swept().processes()).isEqualTo(receipt.processes());
    }

    private static void untilSleeping(long pid) {
        Awaitility.await()
                .atMost(SOON)
                .until(() ->
                        Files.readString(Path.of("/proc/" + pid + "/cmdline")).startsWith("sleep"));
    }

    @Test
    void killsProcessesThatIgnoreTermAfterTheGrace() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell(
                        "(trap '' TERM; sh -c 'echo $PPID >child'; while :; do sleep 1; done) & exec sleep 60")
                .build();
        runtime.launch(step);
        long stubborn = Long.parseLong(written("child"));

        KillReceipt receipt = runtime.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(signalsOf(receipt, stubborn)).containsExactly("TERM", "KILL");
        assertThat(Duration.between(receipt.requestedAt(), receipt.verifiedAt()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void aLeaderThatIgnoresTermIsKilledAndItsStatusRecorded() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("trap '' TERM; echo ready >ready; while :; do sleep 1; done")
                .build();
        runtime.launch(step);
        written("ready");

        assertThat(runtime.stop(step).outcome()).isEqualTo(Outcome.gone);
        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(137);
    }

    @Test
    void aChildInItsOwnSessionIsFound() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("setsid sh -c 'echo $$ >child; sleep 60; :' & wait")
                .build();
        runtime.launch(step);
        long child = Long.parseLong(written("child"));

        KillReceipt receipt = runtime.stop(step);

        assertThat(foundBy(receipt, child)).isEqualTo("nonce");
    }

    @Test
    void aChildWithAClearedEnvironmentIsFoundByDescent() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("env -i setsid sh -c 'echo $$ >child; exec sleep 60' & wait")
                .build();
        runtime.launch(step);
        long child = Long.parseLong(written("child"));

        KillReceipt receipt = runtime.stop(step);

        assertThat(foundBy(receipt, child)).isEqualTo("descendant");
        assertThat(alive(child)).isFalse();
    }

    @Test
    void aDoubleForkWhoseParentIsGoneIsFoundByItsNonce() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell(
                        "(setsid nohup sh -c 'trap \"\" TERM; echo $$ >child; while :; do sleep 1; done' &) ; exec sleep 60")
                .build();
        runtime.launch(step);
        long daemon = Long.parseLong(written("child"));

        KillReceipt receipt = runtime.stop(step);

        assertThat(foundBy(receipt, daemon)).isEqualTo("nonce");
        assertThat(signalsOf(receipt, daemon)).containsExactly("TERM", "KILL");
    }

    @Test
    void aLeaderThatExitsWellAndLeavesChildrenIsSweptAfter() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("sleep 60 & echo $! >child;"
                        + " (setsid nohup sh -c 'echo $$ >daemon; exec sleep 61' >/dev/null 2>&1 &) ;"
                        + " while [ ! -s daemon ]; do :; done; exit 0")
                .build();
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(exit.process().exitCode()).hasValue(0);
        assertThat(exit.swept().outcome()).isEqualTo(Outcome.gone);
        assertThat(exit.swept().processes())
                .extracting(KilledProcess::pid)
                .containsExactlyInAnyOrder(Long.valueOf(written("child")), Long.valueOf(written("daemon")));
    }

    @Test
    void aGrandchildThatHoldsStdoutDoesNotDelayTheEnd() throws IOException {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("(sh -c 'sleep 600' &) ; echo done").build();
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().exitCode()).hasValue(0);
        assertThat(stdout(step)).isEqualTo("done\n");
    }

    @Test
    void aSecondStopCutsTheGraceShort() {
        Supervising runtime = supervisor();
        StepSpec step = stubborn(LONG);
        runtime.launch(step);
        written("ready");

        Future<KillReceipt> first = runtime.asking(
                ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), false, ExitCause.STOPPED));
        Future<KillReceipt> second =
                runtime.asking(ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), true, ExitCause.KILLED));

        assertThat(done(second)).isEqualTo(done(first));
        assertThat(Duration.between(done(first).requestedAt(), done(first).verifiedAt()))
                .isLessThan(LONG);
        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
    }

    @Test
    void aStopNowSendsKillAtOnce() {
        Supervising runtime = supervisor();
        StepSpec step = stubborn(LONG);
        long pid = runtime.launch(step).pid().orElseThrow();

        KillReceipt receipt =
                runtime.ask(ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), true, ExitCause.STOPPED));

        assertThat(signalsOf(receipt, pid)).containsExactly("KILL");
    }

    @Test
    void theAgentsOwnStopSignalIsUsed() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("trap 'exit 9' INT; echo ready >ready; while :; do sleep 0.02; done")
                .stopping("INT", LONG)
                .build();
        long pid = runtime.launch(step).pid().orElseThrow();
        written("ready");

        KillReceipt receipt = runtime.stop(step);

        assertThat(signalsOf(receipt, pid)).containsExactly("INT");
        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(9);
    }

    @Test
    void aDecoyWithTheSameCommandLineSurvives() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = step().words("sleep", "71").build();
        Process decoy = new ProcessBuilder("setsid", "sleep", "71").start();
        try {
            runtime.launch(step);

            KillReceipt receipt = runtime.stop(step);

            assertThat(receipt.processes()).extracting(KilledProcess::pid).doesNotContain(decoy.pid());
            assertThat(decoy.isAlive()).isTrue();
        } finally {
            decoy.destroyForcibly().waitFor();
        }
    }

    @Test
    void aBoundedForkBombIsEnded() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell(
                        "n=0; while [ $n -lt 200 ]; do setsid sh -c 'trap \"\" TERM; sleep 60' & n=$((n + 1)); done;"
                                + " echo done >ready; wait")
                .build();
        runtime.launch(step);

        KillReceipt receipt = runtime.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
    }

    @Test
    void twoHundredThatIgnoreTermAndHaveSessionsOfTheirOwnAreEnded() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell(
                        "n=0; while [ $n -lt 200 ]; do setsid sh -c 'trap \"\" TERM; echo >>up; sleep 60' &"
                                + " n=$((n + 1)); done; while [ $(wc -l <up) -lt 200 ]; do sleep 0.05; done;"
                                + " echo done >ready; wait")
                .build();
        runtime.launch(step);
        written("ready");

        KillReceipt receipt = runtime.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.processes()).hasSizeGreaterThanOrEqualTo(200);
    }

    @Test
    void stoppingManyStepsAtOnceLeavesNone() {
        Supervising runtime = supervisor();
        List<StepSpec> steps = new ArrayList<>();
        for (int number = 0; number < 30; number++) {
            steps.add(step().id("s" + number)
                    .words("sleep", "60")
                    .stopping("TERM", LONG)
                    .build());
        }
        List<Long> agents = steps.stream()
                .map(step -> runtime.launch(step).pid().orElseThrow())
                .toList();
        // Until an agent in a sandbox begins, its launcher may run a program.
        agents.forEach(StopTest::untilSleeping);

        List<Future<KillReceipt>> stops = steps.stream()
                .map(step -> runtime.asking(
                        ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), false, ExitCause.STOPPED)))
                .toList();

        assertThat(stops).allSatisfy(stop -> assertThat(done(stop).processes()).hasSize(1));
        assertThat(steps)
                .allSatisfy(step ->
                        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(143));
    }

    @Test
    void aStepThatIsGoneOrWasNeverSeenAnswersWithAnEmptyReceipt() {
        Supervising runtime = supervisor();
        StepSpec step = step().build();
        runtime.launch(step);
        runtime.exitOf(step);

        assertThat(runtime.stop(step).processes()).isEmpty();
        assertThat(runtime.stop(step().id("other").build()).outcome()).isEqualTo(Outcome.gone);
    }

    private StepSpec stubborn(Duration grace) {
        return step().shell("trap '' TERM; echo ready >ready; while :; do sleep 1; done")
                .stopping("TERM", grace)
                .build();
    }

    private static List<String> signalsOf(KillReceipt receipt, long pid) {
        return process(receipt, pid).signals();
    }

    private static String foundBy(KillReceipt receipt, long pid) {
        return process(receipt, pid).foundBy();
    }

    private static KilledProcess process(KillReceipt receipt, long pid) {
        return receipt.processes().stream()
                .filter(process -> process.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new AssertionError("pid " + pid + " is not in " + receipt));
    }
}
