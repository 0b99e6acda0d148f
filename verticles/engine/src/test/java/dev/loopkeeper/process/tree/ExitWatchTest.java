package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jna.NativeLong;
import dev.loopkeeper.work.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExitWatchTest {
    private static final long PIDFD_OPEN = 434;

    private final ExitWatch watch = new ExitWatch(512);
    private final ProcFs processes = new ProcFs();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process sleeper() throws IOException {
        Process process = new ProcessBuilder("sleep", "300").start();
        started.add(process);
        return process;
    }

    private static int handle(Process process) {
        return LibC.get()
                .syscall(new NativeLong(PIDFD_OPEN), (int) process.pid(), 0)
                .intValue();
    }

    /** As a handle of a process: its number may be another file's by now. */
    private static boolean isOpen(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString()
                    .contains("pidfd");
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void reportsTheEndOfEachProcess() throws Exception {
        Process lives = sleeper();
        Process ends = sleeper();
        CompletableFuture<Void> one = new CompletableFuture<>();
        CompletableFuture<Void> other = new CompletableFuture<>();
        int handle = handle(ends);
        assertThat(watch.add(handle(lives), () -> other.complete(null))).isNotEqualTo(ExitWatch.NOT_WATCHED);
        assertThat(watch.add(handle, () -> one.complete(null))).isNotEqualTo(ExitWatch.NOT_WATCHED);

        ends.destroyForcibly();

        one.get(60, TimeUnit.SECONDS);
        assertThat(other).isNotDone();
        assertThat(isOpen(handle)).isFalse();
    }

    @Test
    void reportsAProcessThatHasEndedBefore() throws Exception {
        Process gone = sleeper();
        int handle = handle(gone);
        assertThat(gone.destroyForcibly().waitFor()).isNotZero();
        CompletableFuture<Void> told = new CompletableFuture<>();

        assertThat(watch.add(handle, () -> told.complete(null))).isNotEqualTo(ExitWatch.NOT_WATCHED);

        told.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aForgottenProcessIsNotReportedAndHoldsNoDescriptor() throws Exception {
        Process process = sleeper();
        AtomicInteger told = new AtomicInteger();
        int handle = handle(process);
        watch.forget(watch.add(handle, told::incrementAndGet));
        assertThat(isOpen(handle)).isFalse();

        assertThat(process.destroyForcibly().waitFor()).isNotZero();
        Process later = sleeper();
        CompletableFuture<Void> after = new CompletableFuture<>();
        assertThat(watch.add(handle(later), () -> after.complete(null))).isNotEqualTo(ExitWatch.NOT_WATCHED);
        later.destroyForcibly();
        after.get(60, TimeUnit.SECONDS);

        assertThat(told).hasValue(0);
    }

    /** The thread that waits ended without a word, and no end of a process was reported any more. */
    @Test
    void anErrorOfOneListenerSilencesNoOther() throws Exception {
        Process first = sleeper();
        Process second = sleeper();
        CompletableFuture<Void> broke = new CompletableFuture<>();
        CompletableFuture<Void> reported = new CompletableFuture<>();
        assertThat(watch.add(handle(first), () -> {
                    broke.complete(null);
                    throw new StackOverflowError("of a test");
                }))
                .isNotEqualTo(ExitWatch.NOT_WATCHED);
        assertThat(watch.add(handle(second), () -> reported.complete(null))).isNotEqualTo(ExitWatch.NOT_WATCHED);
        first.destroyForcibly();
        broke.get(60, TimeUnit.SECONDS);
        assertThat(reported).isNotDone();

        second.destroyForcibly();

        reported.get(60, TimeUnit.SECONDS);
    }

    /** One Vert.x of several in this process may be closed. */
    @Test
    void aFailingListenerSilencesNoOther() throws Exception {
        Process first = sleeper();
        Process second = sleeper();
        CompletableFuture<Void> told = new CompletableFuture<>();
        CompletableFuture<Void> broke = new CompletableFuture<>();
        assertThat(watch.add(handle(first), () -> {
                    broke.complete(null);
                    throw new IllegalStateException("closed");
                }))
                .isNotEqualTo(ExitWatch.NOT_WATCHED);
        int handle = handle(second);
        assertThat(watch.add(handle, () -> told.complete(null))).isNotEqualTo(ExitWatch.NOT_WATCHED);

        first.destroyForcibly();
        broke.get(60, TimeUnit.SECONDS);
        assertThat(isOpen(handle)).isTrue();
        assertThat(told).isNotDone();
        second.destroyForcibly();

        told.get(60, TimeUnit.SECONDS);
    }

    /** Descriptors are not ours alone. */
    @Test
    void noMoreThanAFewHundredAreWatched() throws Exception {
        Process process = sleeper();
        List<Long> tokens = new ArrayList<>();
        int handle = handle(process);
        long token = watch.add(handle, () -> {});
        while (token != ExitWatch.NOT_WATCHED) {
            tokens.add(token);
            handle = handle(process);
            token = watch.add(handle, () -> {});
        }

        assertThat(tokens).hasSize(512);
        assertThat(isOpen(handle)).as("it is the caller's again").isTrue();
        assertThat(LibC.get().close(handle)).isZero();
        tokens.forEach(watch::forget);
    }

    @Test
    void reportsTheLastProcessOfATree() throws Exception {
        Process first = sleeper();
        Process second = sleeper();
        AtomicInteger told = new AtomicInteger();
        TreeExitListener departures = new TreeExitListener(watch, told::incrementAndGet);
        Identity one = processes.identity(first.pid()).orElseThrow();
        Identity other = processes.identity(second.pid()).orElseThrow();
        assertThat(departures.await(one, handle(first))).isTrue();
        assertThat(departures.await(other, handle(second))).isTrue();

        first.destroyForcibly();
        await().until(() -> !departures.isAwaited(one));
        assertThat(told).hasValue(0);
        second.destroyForcibly();

        await().untilAsserted(() -> assertThat(told).hasValue(1));
    }
}
