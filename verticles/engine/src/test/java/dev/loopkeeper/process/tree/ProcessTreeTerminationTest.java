package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.manifest.StopSpec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessTreeTerminationTest {
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final int SOON_SECONDS = 60;

    private final Vertx vertx = Vertx.vertx();
    private Process agent;
    private Optional<Process> runner = Optional.empty();

    @BeforeEach
    void start() throws IOException {
        agent = new ProcessBuilder("setsid", "sleep", "300").start();
    }

    @AfterEach
    void end() throws Exception {
        assertThat(agent.destroyForcibly().waitFor()).isNotZero();
        if (runner.isPresent()) {
            assertThat(runner.get().destroyForcibly().waitFor()).isNotZero();
        }
        assertThat(vertx.close().await(SOON_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    /** The look that had sent KILL was judged after the patience was over, and named who had died at once. */
    @Test
    void aProcessThatEndedDuringAPauseOfTheThreadIsNoSurvivor() throws Exception {
        TreeContext context =
                TreeContext.of(vertx, vertx.createSharedWorkerExecutor("tree-ending", 2), SmallFiles.REAL, PATIENCE);
        ProcessTree tree =
                new ProcessTree("nonce-of-nobody", new ProcFs().identity(agent.pid()), true, Optional.empty());
        Promise<KillReceipt> reported = Promise.promise();

        vertx.runOnContext(turn -> {
            new ProcessTreeTermination(
                            context, "run-1", Optional.of("step-1"), tree, new StopSpec("TERM", Duration.ofSeconds(1)))
                    .begin(true)
                    .receipt()
                    .onComplete(reported);
            standStill();
        });

        assertThat(reported.future().await(SOON_SECONDS, TimeUnit.SECONDS).outcome())
                .isEqualTo(KillReceipt.Outcome.gone);
    }

    @Test
    void whatConcludesItIsDoneOnceWhenAllAreGoneAndBeforeTheReceipt() throws Exception {
        TreeContext context = TreeContext.of(
                vertx, vertx.createSharedWorkerExecutor("tree-ending", 2), SmallFiles.REAL, SupervisorHarness.SOON);
        Identity leader = new ProcFs().identity(agent.pid()).orElseThrow();
        ProcessTree tree = new ProcessTree("nonce-of-nobody", Optional.of(leader), true, Optional.empty());
        List<String> done = new CopyOnWriteArrayList<>();
        Promise<KillReceipt> reported = Promise.promise();

        vertx.runOnContext(turn -> new ProcessTreeTermination(
                        context, "run-1", Optional.of("step-1"), tree, new StopSpec("TERM", Duration.ofMinutes(1)))
                .concluding(() -> done.add(new ProcFs().living(leader) ? "too early" : "concluded"))
                .begin(false)
                .receipt()
                .onSuccess(receipt -> done.add("receipt"))
                .onComplete(reported));

        assertThat(reported.future().await(SOON_SECONDS, TimeUnit.SECONDS).outcome())
                .isEqualTo(KillReceipt.Outcome.gone);
        assertThat(done).containsExactly("concluded", "receipt");
    }

    /** The real files, but the process that is read has ended by then, so many times, and it is unknown which process was born since. */
    private static final class RespawningProcessFiles extends ForwardedFiles {
        private final long pid;
        private final AtomicInteger left;

        RespawningProcessFiles(long pid, AtomicInteger left) {
            this.pid = pid;
            this.left = left;
        }

        @Override
        public int read(String file, byte[] beginning) throws IOException {
            boolean ended = file.equals("/proc/" + pid + "/stat") && left.getAndDecrement() > 0;
            if (ended || file.equals(ProcFs.NEWEST_PID)) {
                throw new NoSuchFileException(file);
            }
            return REAL.read(file, beginning);
        }
    }

    private Future<KillReceipt> endRunner(int times, Duration patience) throws Exception {
        String nonce = "nonce-of-a-runner";
        Process leader = new ProcessBuilder("sleep", "300").start();
        Optional<Identity> ended = new ProcFs().identity(leader.pid());
        leader.destroyForcibly().waitFor();
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "300");
        builder.environment().put(StepEnvironment.NONCE, nonce);
        runner = Optional.of(builder.start());
        TreeContext context = TreeContext.of(
                vertx,
                vertx.createSharedWorkerExecutor("tree-ending", 2),
                new RespawningProcessFiles(runner.get().pid(), new AtomicInteger(times)),
                patience);
        ProcessTree tree = new ProcessTree(nonce, ended, true, Optional.empty());
        Promise<KillReceipt> reported = Promise.promise();
        vertx.runOnContext(turn -> new ProcessTreeTermination(
                        context, "run-1", Optional.of("step-1"), tree, new StopSpec("TERM", Duration.ofSeconds(1)))
                .begin(true)
                .receipt()
                .onComplete(reported));
        return reported.future();
    }

    /** Two scans that had found no process were enough, though both had met one that was gone when it was read. */
    @Test
    void scansUntilAForkingProcessIsSeen() throws Exception {
        int threeLooks = 3 * ProcessTable.MOST_LISTINGS;

        KillReceipt receipt = endRunner(threeLooks, SupervisorHarness.SOON).await(SOON_SECONDS, TimeUnit.SECONDS);

        assertThat(receipt.outcome()).isEqualTo(KillReceipt.Outcome.gone);
        assertThat(receipt.processes())
                .extracting(KillReceipt.KilledProcess::pid)
                .containsExactly(runner.orElseThrow().pid());
    }

    /** Nor is he gone when that takes too long. */
    @Test
    void aProcessThatWasNeverSeenIsNotReportedAsGone() throws Exception {
        Future<KillReceipt> receipt = endRunner(Integer.MAX_VALUE, PATIENCE);

        assertThatThrownBy(() -> receipt.await(SOON_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(MissedProcessesException.class);
    }

    /** Until it is dead, and longer than it may have lived on. */
    private void standStill() {
        agent.onExit().join();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(PATIENCE.toNanos());
        }
    }
}
