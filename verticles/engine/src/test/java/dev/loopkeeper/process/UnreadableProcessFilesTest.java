package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.LogLimit;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What cannot be read is neither there nor gone. */
@Execution(ExecutionMode.CONCURRENT)
class UnreadableProcessFilesTest extends SupervisorHarness {
    private static final String WAITS_FOR_LEAVE = "while [ ! -e leave ]; do sleep 0.1; done; exit 5";
    private static final String REMOVES_ITS_FOLDER = "echo ran >>ran; while [ ! -e remove ]; do sleep 0.1; done; "
            + "rm -rf \"$LOOPKEEPER_DATA/runs/run-1/steps/$LOOPKEEPER_STEP_ID\"; echo gone >removed; ";
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration A_WHILE = PATIENCE.plusSeconds(1);

    private final UnreadableFiles files = new UnreadableFiles();

    private Supervising troubled() {
        return troubled(text -> text);
    }

    private Supervising troubled(UnaryOperator<String> normalise) {
        SupervisorOptions usual = SupervisorOptions.of(data);
        SupervisorOptions impatient = new SupervisorOptions(
                data,
                Duration.ofSeconds(1),
                PATIENCE,
                Duration.ofMillis(10),
                usual.workers(),
                LogLimit.DEFAULT,
                usual.inherited());
        Supervising supervising = new Supervising(impatient, files, normalise);
        supervisors.add(supervising);
        return supervising;
    }

    /** An agent of an earlier runtime, which is only known by its notes. */
    private long adopted(Supervising next, StepSpec step) {
        long unused = left(step);
        return next.recover(step).pid().orElseThrow();
    }

    /** The same while no runtime lives. */
    private long left(StepSpec step) {
        Supervising first = supervisor();
        long pid = first.launch(step).pid().orElseThrow();
        first.shutDown();
        supervisors.remove(first);
        return pid;
    }

    private boolean isNote(String file) {
        return file.startsWith(data.resolve("runs").toString());
    }

    private void livesOn(Supervising runtime, long pid) {
        await().atMost(SOON).until(() -> files.failures() > 3);
        await().during(A_WHILE).atMost(SOON).until(() -> alive(pid) && runtime.exits.isEmpty());
    }

    @Test
    void anAgentWithUnreadableFilesIsNotTreatedAsEnded() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        files.failReading(this::isNote);
        livesOn(next, pid);
        files.heal();
        Files.createFile(workspace.resolve("leave"));

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
    }

    /** It was checked until its timeout, without one for ever, since that failure may be transient. */
    @Test
    void anAgentThatSealsItsFolderIsOverWhenItEnds() {
        StepSpec step = step().shell("exit 0").build();
        Supervising runtime = troubled();
        files.seal(this::isNote);

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(runtime.exitOf(step).process().exitCode()).isEmpty();
        assertThat(runtime.exitOf(step).internalError()).isEmpty();
        assertThat(runtime.exitOf(step).process().diagnostic().orElseThrow())
                .startsWith("the process ended, and its exit record cannot be read: ")
                .contains(data.resolve("runs").toString(), step.stepId());
    }

    @Test
    void anAgentThatSealedItsFolderIsNotTreatedAsEnded() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising runtime = troubled();
        files.seal(this::isNote);

        long pid = runtime.launch(step).pid().orElseThrow();
        livesOn(runtime, pid);
        Files.createFile(workspace.resolve("leave"));

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
    }

    /** Rights do not bind root. */
    @DisabledIfSystemProperty(named = "user.name", matches = "root")
    @Test
    void aSealedFolderIsNamedWithItsRightsAndTheRemedy() throws IOException {
        Path sealed = data.resolve("runs/run-1/steps/sealed");
        StepSpec step = step().id("sealed").shell("chmod 000 " + sealed).build();
        Supervising runtime = supervisor();

        runtime.launch(step);
        String diagnostic = runtime.exitOf(step).process().diagnostic().orElseThrow();
        Path unused = Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("rwx------"));

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(runtime.exitOf(step).internalError()).isEmpty();
        assertThat(diagnostic).contains("permissions are ---------", "chmod u+rwx " + sealed);
    }

    /** It was said that it could not be launched. */
    @Test
    void anAgentThatRemovesTheFolderOfItsRunHasRun() {
        StepSpec step = step().shell("rm -rf " + data.resolve("runs/run-1")).build();
        Supervising runtime = supervisor();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(runtime.exitOf(step).internalError()).isEmpty();
        assertThat(runtime.exitOf(step).process().diagnostic().orElseThrow())
                .contains("folder " + data.resolve("runs/run-1") + " is gone", "keep the agent from removing");
    }

    /** It was checked until its run was stopped. */
    @Test
    void anAdoptedAgentThatSealsItsFolderIsOverWhenItEnds() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        files.seal(this::isNote);
        livesOn(next, pid);
        Files.createFile(workspace.resolve("leave"));

        isSealed(next.exitOf(step));
    }

    @Test
    void whatAnAdoptedAgentLeavesThatHasSealedItsFolderIsEnded() throws IOException {
        StepSpec step = step().shell("(setsid nohup sh -c 'echo $$ >child; exec sleep 60' &) ; " + WAITS_FOR_LEAVE)
                .build();
        Supervising next = troubled();
        long unused = adopted(next, step);
        long daemon = Long.parseLong(written("child"));

        files.seal(this::isNote);
        Files.createFile(workspace.resolve("leave"));

        isSealed(next.exitOf(step));
        assertThat(next.exitOf(step).swept().processes())
                .extracting(process -> process.pid())
                .containsExactly(daemon);
    }

    @Test
    void aStopEndsAnAdoptedAgentThatHasSealedItsFolder() {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);
        files.seal(this::isNote);

        KillReceipt receipt = next.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.processes()).extracting(process -> process.pid()).contains(pid);
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
    }

    /** Its mark and its launcher identify it where its files do not. */
    @Test
    void anAgentThatSealedItsFolderBeforeARestartIsFollowedToItsEnd() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        long pid = left(step);
        Supervising next = troubled();
        files.seal(this::isNote);

        StepLaunched adopted = next.recover(step);
        livesOn(next, pid);
        Files.createFile(workspace.resolve("leave"));

        assertThat(adopted.pid()).hasValue(pid);
        assertThat(adopted.adopted()).isTrue();
        isSealed(next.exitOf(step));
        assertThat(next.exitOf(step).process().pid()).hasValue(pid);
    }

    @Test
    void anAgentThatSealedItsFolderAndEndedBeforeARestartIsOver() throws IOException {
        StepSpec step = step().shell("(setsid nohup sh -c 'echo $$ >child; exec sleep 60' &) ; " + WAITS_FOR_LEAVE)
                .build();
        long pid = left(step);
        long daemon = Long.parseLong(written("child"));
        Files.createFile(workspace.resolve("leave"));
        await().atMost(SOON).until(() -> !alive(pid));
        Supervising next = troubled();
        files.seal(this::isNote);

        StepLaunched gone = next.recover(step);

        assertThat(gone.pid()).isEmpty();
        isSealed(next.exitOf(step));
        assertThat(next.exitOf(step).swept().processes())
                .extracting(process -> process.pid())
                .containsExactly(daemon);
    }

    @Test
    void anUnreadableStepWithoutProcessesEndsUnlaunched() throws IOException {
        StepSpec step = step().shell("echo ran >>ran").build();
        folderOf(step).make();
        Supervising runtime = troubled();
        files.seal(this::isNote);

        runtime.recover(step);

        isSealed(runtime.exitOf(step));
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    /** It was launched a second time while it lived. */
    @Test
    void anAdoptedAgentThatRemovesItsFolderIsOverWhenItEnds() throws IOException {
        StepSpec step = step().shell(REMOVES_ITS_FOLDER + WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        Files.createFile(workspace.resolve("remove"));
        written("removed");
        await().during(A_WHILE).atMost(SOON).until(() -> alive(pid) && next.exits.isEmpty());
        Files.createFile(workspace.resolve("leave"));

        isRemoved(next.exitOf(step));
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void adoptsAnAgentThatRemovedItsFolder() throws IOException {
        StepSpec step = step().shell(REMOVES_ITS_FOLDER + WAITS_FOR_LEAVE).build();
        long pid = left(step);
        Files.createFile(workspace.resolve("remove"));
        written("removed");
        Supervising next = troubled();

        StepLaunched adopted = next.recover(step);
        Files.createFile(workspace.resolve("leave"));

        assertThat(adopted.pid()).hasValue(pid);
        isRemoved(next.exitOf(step));
        assertThat(written("ran")).isEqualTo("ran");
    }

    /** Its launcher was killed, so that it is unknown which process with its mark is the agent. */
    @Test
    void endsMarkedProcessesOfAStepWithoutAFolder() throws IOException {
        StepSpec step = step().shell(REMOVES_ITS_FOLDER + WAITS_FOR_LEAVE).build();
        long pid = left(step);
        Identity recorder = folderOf(step).claimant().orElseThrow();
        assertThat(new Signals(new ProcFs()).send(recorder, "KILL")).isTrue();
        Files.createFile(workspace.resolve("remove"));
        written("removed");
        Supervising next = troubled();

        next.recover(step);

        isRemoved(next.exitOf(step));
        assertThat(next.exitOf(step).swept().processes())
                .extracting(process -> process.pid())
                .contains(pid);
        assertThat(written("ran")).isEqualTo("ran");
    }

    private static void isSealed(StepExited exit) {
        assertThat(exit.process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(exit.process().exitCode()).isEmpty();
        assertThat(exit.internalError()).isEmpty();
        assertThat(exit.process().diagnostic().orElseThrow())
                .startsWith("the process ended, and its exit record cannot be read: ")
                .contains(exit.stepId());
    }

    private static void isRemoved(StepExited exit) {
        isSealed(exit);
        assertThat(exit.process().diagnostic().orElseThrow()).contains(" is gone with all that lay in it");
    }

    @Test
    void anAgentThatProcDoesNotShowIsNotTreatedAsEnded() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        files.failReading(file -> file.equals("/proc/" + pid + "/stat"));
        livesOn(next, pid);
        files.heal();
        Files.createFile(workspace.resolve("leave"));

        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
    }

    @Test
    void anExitCodeThatCannotBeReadNowIsReadLater() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        files.failReading(file -> file.endsWith("/exit.json"));
        Files.createFile(workspace.resolve("leave"));
        await().atMost(SOON).until(() -> !alive(pid));
        await().during(A_WHILE).atMost(SOON).until(() -> next.exits.isEmpty());
        files.heal();

        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
    }

    @Test
    void aStopThatCannotSeeTheAgentIsNoReceiptThatItIsGone() {
        StepSpec step = step().shell("trap '' TERM; " + WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        files.failReading(file -> file.equals("/proc/" + pid + "/stat"));
        Future<KillReceipt> stop =
                next.asking(ProcessChannels.STOP, new StopStep(step.runId(), step.stepId(), true, ExitCause.STOPPED));
        await().during(Duration.ofSeconds(2)).atMost(SOON).until(() -> !stop.isComplete() && alive(pid));
        files.heal();

        assertThat(done(stop).outcome()).isEqualTo(Outcome.gone);
        assertThat(alive(pid)).isFalse();
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
    }

    @Test
    void aStopEndsAnAgentWhoseNotesCannotBeRead() {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising first = supervisor();
        long pid = first.launch(step).pid().orElseThrow();
        first.shutDown();
        supervisors.remove(first);
        Supervising next = troubled();
        files.failReading(this::isNote);
        Future<StepLaunched> adopted = next.asking(ProcessChannels.LAUNCH, new LaunchStep(step, true));
        await().atMost(SOON).until(() -> files.failures() > 0);

        KillReceipt receipt = next.stop(step);

        assertThat(receipt.processes()).extracting(process -> process.pid()).contains(pid);
        assertThat(alive(pid)).isFalse();
        files.heal();
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(done(adopted).pid()).isEmpty();
    }

    @Test
    void aLaunchWaitsUntilFilesCanBeRead() {
        StepSpec step = step().shell("exit 3").build();
        Supervising runtime = troubled();
        files.failReading(this::isNote);
        Future<StepLaunched> launch = runtime.asking(ProcessChannels.LAUNCH, new LaunchStep(step, true));
        await().atMost(SOON).until(() -> files.failures() > 2);
        assertThat(launch.isComplete()).isFalse();

        files.heal();

        assertThat(done(launch).pid()).isPresent();
        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(3);
    }

    /** It stayed open for ever. */
    @Test
    void aReaderThatBreaksEndsTheStepAndItsProcesses() {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        Supervising next = troubled();
        long pid = adopted(next, step);

        files.throwUnchecked(file -> file.endsWith("/launch.json"));

        StepExited exit = next.exitOf(step);
        assertThat(exit.internalError().orElseThrow()).contains("a reader broke", step.stepId());
        assertThat(exit.swept().processes())
                .extracting(process -> process.pid())
                .contains(pid);
        assertThat(alive(pid)).isFalse();
    }

    @Test
    void whatBreaksOverTheOutputOfAnEndedStepIsReportedWithItsEnd() {
        StepSpec step = step().shell("echo out; exit 3").build();
        Supervising runtime = troubled(text -> {
            throw new IllegalStateException("a normaliser broke");
        });
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().exitCode()).hasValue(3);
        assertThat(exit.internalError().orElseThrow()).contains("a normaliser broke", step.stepId());
    }
}
