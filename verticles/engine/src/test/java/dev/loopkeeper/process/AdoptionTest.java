package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log of the process, or changes what it has once")
class AdoptionTest extends SupervisorHarness {
    private static final String WAITS_FOR_LEAVE =
            "echo ran >>ran; while [ ! -e leave ]; do sleep 0.1; done; echo bye; exit 5";

    @Test
    void aLivingAgentIsAdoptedWithItsPidAndItsTrueExitCode() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).expecting("bye").build();
        long pid = launchAndForget(step);

        Supervising next = supervisor();
        StepLaunched adopted = next.recover(step);
        letAgentExit();
        StepExited exit = next.exitOf(step);

        assertThat(adopted.pid()).hasValue(pid);
        assertThat(adopted.adopted()).isTrue();
        assertThat(exit.process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(exit.process().exitCode()).hasValue(5);
        assertThat(exit.output().matched()).isTrue();
        assertThat(written("ran")).isEqualTo("ran");
    }

    /** A thousand of them, each checked ten times a second, took most of a processor for as long as they lived. */
    @Test
    void readsFewFilesOfAnAdoptedAgent() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        launchAndForget(step);
        AtomicInteger reads = new AtomicInteger();
        SmallFiles counted = new SmallFiles() {
            @Override
            public byte[] read(Path file) throws IOException {
                if (file.startsWith(folderOf(step).path())) {
                    reads.incrementAndGet();
                }
                return REAL.read(file);
            }

            @Override
            public int read(String file, byte[] beginning) throws IOException {
                return REAL.read(file, beginning);
            }
        };
        Supervising next = new Supervising(SupervisorOptions.of(data), counted, text -> text);
        supervisors.add(next);
        next.recover(step);
        StepSpec beside = step().id("beside").words("sleep", "2").build();
        next.launch(beside);
        next.exitOf(beside);
        int between = reads.get();
        letAgentExit();

        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
        assertThat(between).as("a look reads three notes").isLessThan(20);
    }

    /** A limit below ten seconds began again with each runtime. */
    @Test
    void aShortLimitIsCountedBeforeTheAdoptionToo() throws IOException {
        StepSpec step =
                step().shell(WAITS_FOR_LEAVE).timeout(Duration.ofSeconds(8)).build();
        Supervising runtime = supervisor();
        runtime.launch(step);

        await().atMost(SOON).until(() -> hasRun(step, Duration.ofSeconds(1)));
        letAgentExit();

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(5);
    }

    private boolean hasRun(StepSpec step, Duration atLeast) throws IOException {
        return folderOf(step)
                .ran()
                .filter(note -> note.counted().ran().compareTo(atLeast) >= 0)
                .isPresent();
    }

    /** No runtime lives as long as the limit. */
    @Test
    void anIdleAgentIsStoppedAlthoughTheRuntimeIsKilledAgainAndAgain() {
        StepSpec step =
                step().shell(WAITS_FOR_LEAVE).idleTimeout(Duration.ofSeconds(3)).build();
        launchAndForget(step);
        for (int life = 1; life <= 9; life++) {
            Supervising runtime = supervisor();
            supervisors.remove(runtime);
            Duration until = Duration.ofSeconds(life);
            runtime.recover(step);
            await().atMost(SOON).until(() -> !runtime.exits.isEmpty() || hasRun(step, until));
            runtime.shutDown();
            if (!runtime.exits.isEmpty()) {
                assertThat(runtime.exits)
                        .singleElement()
                        .extracting(exit -> exit.process().cause())
                        .isEqualTo(ExitCause.IDLE);
                return;
            }
        }
        fail("the agent was idle for three seconds");
    }

    @Test
    void reportsTheRecordedExitCodeOfAnEndedAgent() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        long pid = launchAndForget(step);
        letAgentExit();
        awaitRecord(step);

        Supervising next = supervisor();
        StepLaunched launched = next.recover(step);
        StepExited exit = next.exitOf(step);

        assertThat(launched.pid()).isEmpty();
        assertThat(exit.process().pid()).hasValue(pid);
        assertThat(exit.process().exitCode()).hasValue(5);
        assertThat(exit.process().startedAt()).isBeforeOrEqualTo(exit.process().endedAt());
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void whatAnEndedAgentLeftIsSweptByTheNextRuntime() throws IOException {
        StepSpec step = step().shell("(setsid nohup sh -c 'echo $$ >child; exec sleep 60' &) ; " + WAITS_FOR_LEAVE)
                .build();
        launchAndForget(step);
        long daemon = Long.parseLong(written("child"));
        letAgentExit();
        awaitRecord(step);

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).swept().processes())
                .extracting(KilledProcess::pid)
                .containsExactly(daemon);
    }

    @Test
    void aStepThatWasNeverClaimedIsLaunchedNow() throws IOException {
        StepSpec step = step().shell("exit 3").build();
        folderOf(step).open(StepOrder.of(step, new ProcFs().bootId(), Optional.empty()));

        Supervising next = supervisor();
        StepLaunched launched = next.recover(step);

        assertThat(launched.pid()).isPresent();
        assertThat(launched.adopted()).isFalse();
        assertThat(next.exitOf(step).process().exitCode()).hasValue(3);
    }

    @Test
    void anUnclaimedStepFromBeforeARebootIsNotLaunchedAgain() throws IOException {
        StepSpec step = step().shell("echo ran >>ran").build();
        folderOf(step).open(StepOrder.of(step, "another-boot", Optional.empty()));

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    /** Its notes are not synced: the power failed before they were on the disk. */
    @Test
    void aStepWhoseNotesWentWithTheMachineIsNotLaunchedAgain() throws IOException {
        StepSpec step = step().nonce("x7k2-41").shell("echo ran >>ran").build();
        noteBoot("another-boot", 12);

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    @Test
    void launchesNoStepFromBeforeTheReboot() throws IOException {
        StepSpec before =
                step().id("a").nonce("x7k2-41").shell("echo ran >>ran").build();
        StepSpec after = step().id("b").nonce("x7k2-52").shell("exit 3").build();
        noteBoot("another-boot", 12);
        Supervising first = supervisor();
        first.launch(after);
        assertThat(first.exitOf(after).process().exitCode()).hasValue(3);

        Supervising next = supervisor();
        next.recover(before);

        assertThat(next.exitOf(before).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    @Test
    void aStepOfThisBootWithoutNotesWasNeverRequestedAndIsLaunchedNow() throws IOException {
        StepSpec one = step().id("a").nonce("x7k2-12").shell("exit 3").build();
        StepSpec other = step().id("b").nonce("x7k2-41").shell("exit 4").build();
        Supervising first = supervisor();
        first.launch(one);
        assertThat(first.exitOf(one).process().exitCode()).hasValue(3);

        Supervising next = supervisor();
        next.recover(other);

        assertThat(next.exitOf(other).process().exitCode()).hasValue(4);
    }

    /** Both were requested when the runtime was killed, and its next one launches the newer first. */
    @Test
    void theFirstLaunchOfARunProvesNothingOfThoseBesideIt() throws IOException {
        StepSpec older = step().id("a").nonce("x7k2-41").shell("exit 3").build();
        StepSpec newer = step().id("b").nonce("x7k2-42").shell("exit 4").build();
        Supervising next = supervisor();
        next.recover(newer);
        assertThat(next.exitOf(newer).process().exitCode()).hasValue(4);

        next.recover(older);

        assertThat(next.exitOf(older).process().exitCode()).hasValue(3);
    }

    @Test
    void aBootNoteThatIsNotWholeProvesNothing() throws IOException {
        StepSpec step = step().nonce("x7k2-41").shell("echo ran >>ran").build();
        noteBoot(new ProcFs().bootId(), 12);
        Files.writeString(data.resolve("runs/run-1/boot.json"), "{\"bootId\":");

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
    }

    private void noteBoot(String bootId, long since) throws IOException {
        Files.createDirectories(data.resolve("runs/run-1"));
        Files.write(data.resolve("runs/run-1/boot.json"), Json.MAPPER.writeValueAsBytes(new BootNote(bootId, since)));
    }

    /** Versions before had a script for everything. */
    @Test
    void theNativeLauncherAdoptsAnAgentOfTheScript() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        long pid;
        System.setProperty("loopkeeper.launcher", "script");
        try {
            pid = launchAndForget(step);
        } finally {
            System.clearProperty("loopkeeper.launcher");
        }

        Supervising next = supervisor();
        StepLaunched adopted = next.recover(step);
        letAgentExit();

        assertThat(adopted.pid()).hasValue(pid);
        assertThat(adopted.adopted()).isTrue();
        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void aRepeatedLaunchAdoptsTheRunningAgent() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        long pid = launchAndForget(step);

        Supervising next = supervisor();
        StepLaunched adopted = next.launch(step);
        letAgentExit();

        assertThat(adopted.pid()).hasValue(pid);
        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void anAgentThatVanishedWithoutARecordIsReportedAsVanished() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        long pid = launchAndForget(step);
        Identity recorder = folderOf(step).claimant().orElseThrow();
        assertThat(new Signals(new ProcFs()).send(recorder, "KILL")).isTrue();
        letAgentExit();
        await().atMost(SOON).until(() -> !alive(pid));

        Supervising next = supervisor();
        next.recover(step);
        StepExited exit = next.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(exit.process().exitCode()).isEmpty();
        assertThat(exit.process().diagnostic()).isPresent();
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void afterARebootARecycledPidIsNotTheAgent() throws IOException {
        StepSpec step = step().build();
        folderOf(step).open(StepOrder.of(step, "another-boot", Optional.empty()));
        String self = note(ProcessHandle.current().pid(), "another-boot");
        Files.writeString(folderOf(step).path().resolve("claim.json"), self);
        Files.writeString(folderOf(step).path().resolve("launch.json"), self);

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
        assertThat(next.exitOf(step).swept().processes()).isEmpty();
    }

    @Test
    void aRecycledPidIsNeitherAdoptedNorSignalled() throws Exception {
        Process stranger = new ProcessBuilder("setsid", "sleep", "60").start();
        try {
            StepSpec step = step().build();
            String bootId = new ProcFs().bootId();
            folderOf(step).open(StepOrder.of(step, bootId, Optional.empty()));
            // The pid is the stranger's, the start time is not.
            Files.writeString(folderOf(step).path().resolve("claim.json"), note(stranger.pid(), bootId));
            Files.writeString(folderOf(step).path().resolve("launch.json"), note(stranger.pid(), bootId));

            Supervising next = supervisor();
            next.recover(step);
            KillReceipt receipt = next.stop(step);

            assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
            assertThat(receipt.processes()).isEmpty();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly().waitFor();
        }
    }

    @Test
    void aStopReachesAStepThatOnlyAnEarlierRuntimeLaunched() {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        long pid = launchAndForget(step);

        Supervising next = supervisor();
        KillReceipt receipt = next.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.processes()).extracting(KilledProcess::pid).contains(pid);
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
    }

    @Test
    void aStopBeforeAnyLauncherForestallsTheLaunch() throws IOException {
        StepSpec step = step().shell("echo ran >>ran").build();
        folderOf(step).open(StepOrder.of(step, new ProcFs().bootId(), Optional.empty()));

        Supervising runtime = supervisor();
        KillReceipt receipt = runtime.stop(step);
        Supervising next = supervisor();
        next.recover(step);

        assertThat(receipt.processes()).isEmpty();
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(workspace.resolve("ran")).doesNotExist();
    }

    @Test
    void aStopThatAnEarlierRuntimeBeganIsStillTheCause() throws IOException {
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        launchAndForget(step);
        folderOf(step).noteStop(ExitCause.STOPPED);
        letAgentExit();
        awaitRecord(step);

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(next.exitOf(step).process().exitCode()).hasValue(5);
    }

    @Test
    void aKilledRecorderDoesNotHideTheAgent() throws IOException {
        Supervising runtime = supervisor();
        StepSpec step = step().shell(WAITS_FOR_LEAVE).build();
        runtime.launch(step);
        written("ran");
        Identity recorder = folderOf(step).claimant().orElseThrow();
        assertThat(new Signals(new ProcFs()).send(recorder, "KILL")).isTrue();
        letAgentExit();

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.VANISHED);
    }

    @Test
    void anotherLaunchUnderTheSameStepIsRefused() {
        StepSpec step = step().build();
        Supervising runtime = supervisor();
        runtime.launch(step);
        runtime.exitOf(step);

        Supervising next = supervisor();
        StepSpec other = step().build();
        next.recover(other);

        assertThat(next.exitOf(other).process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(next.exitOf(other).process().diagnostic().orElseThrow()).contains("another launch");
    }

    /** The runtime shuts down while the agent lives. */
    @CanIgnoreReturnValue
    private long launchAndForget(StepSpec step) {
        Supervising first = supervisor();
        long pid = first.launch(step).pid().orElseThrow();
        if (step.agentSpec().program().command().words().get(0).contains("ran")) {
            written("ran");
        }
        supervisors.remove(first);
        first.shutDown();
        assertThat(first.exits).isEmpty();
        return pid;
    }

    private void letAgentExit() throws IOException {
        Files.createFile(workspace.resolve("leave"));
    }

    private void awaitRecord(StepSpec step) {
        await().pollInterval(Duration.ofMillis(5))
                .atMost(SOON)
                .until(() -> folderOf(step).exit().isPresent());
    }

    private static String note(long pid, String bootId) {
        ObjectNode note = Json.MAPPER.createObjectNode();
        return note.put("pid", pid).put("startTicks", 1).put("bootId", bootId).toString();
    }
}
