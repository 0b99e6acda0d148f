package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.SweepStep;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SurvivorSweepTest extends SupervisorHarness {
    /** A step that is over; nothing but a note in its folder will name a survivor. */
    private StepSpec over(Supervising runtime) {
        StepSpec step = step().words("true").stopping("TERM", SOON).build();
        runtime.launch(step);
        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        return step;
    }

    private void leaves(StepSpec step, Identity survivor) throws IOException {
        folderOf(step).noteSurvivors(Map.of(survivor, "session"));
    }

    private static Process sleeper() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "300");
        builder.environment().clear();
        return builder.start();
    }

    private static SweepStep sweep(StepSpec step) {
        return new SweepStep(step.runId(), step.stepId(), false);
    }

    @Test
    void signalsAnEarlierSurvivorAgain() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = over(runtime);
        Process sleeper = sleeper();
        leaves(step, new ProcFs().identity(sleeper.pid()).orElseThrow());

        KillReceipt receipt = runtime.ask(ProcessChannels.SWEEP, sweep(step));

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.processes()).extracting(KilledProcess::pid).containsExactly(sleeper.pid());
        assertThat(sleeper.waitFor()).isEqualTo(128 + 15);
        assertThat(runtime.ask(ProcessChannels.SWEEP, sweep(step)).processes()).isEmpty();
    }

    @Test
    void theFolderOfAStepIsTidiedOnceItsSurvivorsAreGone() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = over(runtime);
        Process sleeper = sleeper();
        leaves(step, new ProcFs().identity(sleeper.pid()).orElseThrow());

        runtime.ask(ProcessChannels.SWEEP, sweep(step));

        Path folder = folderOf(step).stdout().getParent();
        assertThat(folder.resolve("claim.json")).exists();
        assertThat(folder.resolve("survivors.json")).doesNotExist();
        assertThat(folder.resolve("launch.json")).doesNotExist();
    }

    @Test
    void aPidThatPassedToAnotherProcessIsNotTouched() throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = over(runtime);
        Process decoy = sleeper();
        try {
            Identity real = new ProcFs().identity(decoy.pid()).orElseThrow();
            leaves(step, new Identity(real.pid(), real.startTicks() + 1, real.bootId()));

            KillReceipt receipt = runtime.ask(ProcessChannels.SWEEP, sweep(step));

            assertThat(receipt.processes()).isEmpty();
            assertThat(decoy.isAlive()).isTrue();
        } finally {
            assertThat(decoy.destroyForcibly().waitFor()).isNotZero();
        }
    }

    @Test
    void ofAStepThatNeverWasThereIsNothingToSweep() {
        KillReceipt receipt = supervisor().ask(ProcessChannels.SWEEP, new SweepStep("run-1", "no.such.1", true));
        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
    }
}
