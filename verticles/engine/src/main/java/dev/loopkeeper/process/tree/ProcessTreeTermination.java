package dev.loopkeeper.process.tree;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a step's process tree: sends the polite signal, and KILL after the grace. It scans until two scans in a row find
 * no member, at least one of them complete, or one if the control group is empty too. It scans
 * periodically. A failed scan proves nothing and is repeated while the machine fails. An
 * incomplete scan is repeated too, but only as long as the time limit after KILL. Used from one context only; one scan
 * at a time runs on a worker.
 */
public final class ProcessTreeTermination {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessTreeTermination.class);
    /** Phase of a termination. */
    private sealed interface Phase {
        /** Returns when it ends. Monotonic, because a changed wall clock must not extend the grace. */
        long deadlineNanos();

        /**
         * Members get the polite signal, and time to exit.
         *
         * @param asked whether all members found so far have got the signal
         */
        record Grace(long deadlineNanos, boolean asked) implements Phase {}

        /** Members get KILL. */
        record Killing(long deadlineNanos) implements Phase {}
    }

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 50;
    private static final long LONGEST_FAILURE_PAUSE_MILLIS = 1000;

    private final TreeContext context;
    private final ProcessTree tree;
    private final StopSpec stop;
    private final TreeScan members;
    private final Promise<KillReceipt> receipt = Promise.promise();
    private final String runId;
    private final Optional<String> stepId;
    private final Instant requestedAt;

    private final SingleFlight<Void> scans = new SingleFlight<>(this::scan);
    private final PollTimer timer;
    private Phase phase;
    private CleanScans clean = CleanScans.NONE;
    private long unsettledSinceNanos;
    private boolean failing;
    private OptionalLong bugSinceNanos = OptionalLong.empty();

    public ProcessTreeTermination(
            TreeContext context, String runId, Optional<String> stepId, ProcessTree tree, StopSpec stop) {
        this.context = context;
        this.runId = runId;
        this.stepId = stepId;
        this.tree = tree;
        this.stop = stop;
        this.requestedAt = context.clock().instant();
        this.phase = new Phase.Grace(System.nanoTime() + stop.grace().toNanos(), false);
        this.timer = new PollTimer(context.vertx(), FIRST_PAUSE_MILLIS, scans::run);
        this.members = new TreeScan(context, tree, "run " + runId + ": the processes of " + stepId.orElse("a command"));
    }

    /** Sets an action before the first signal, on its worker. Its failure does not stop the termination. */
    public ProcessTreeTermination noting(Callable<Void> first) {
        members.noting(first);
        return this;
    }

    /**
     * Sets an action after the scan that finds no member left, on its worker, before the receipt. It is skipped for
     * other results and should not fail, since that makes the scan fail.
     */
    public ProcessTreeTermination concluding(Runnable last) {
        members.concluding(last);
        return this;
    }

    /** Starts; {@code now} skips the polite signal and the grace. */
    public ProcessTreeTermination begin(boolean now) {
        if (now || stop.grace().isZero()) {
            startKilling();
        }
        scans.run();
        return this;
    }

    /**
     * Completes with what happened to each process. Survivors are a result, not a failure. Fails only for a bug,
     * because the runtime stops, or with {@link MissedProcessesException}.
     */
    public Future<KillReceipt> receipt() {
        return receipt.future();
    }

    /** Returns processes that could not be killed. Call after the receipt. */
    public Map<Identity, String> survivors() {
        return members.killed().left();
    }

    /** Returns a receipt for a failed termination: processes not seen gone may live. */
    public KillReceipt unverified() {
        return receipt(Outcome.survivors);
    }

    /** Sends KILL now instead of after the grace. */
    public void skipGrace() {
        if (phase instanceof Phase.Grace && !receipt.future().isComplete()) {
            startKilling();
            rescan();
        }
    }

    /** Scans at once, because something happened. */
    public void rescan() {
        if (scans.isRunning() || timer.isPending()) {
            scans.run();
        }
    }

    private void startKilling() {
        phase = new Phase.Killing(System.nanoTime() + context.killPatience().toNanos());
        timer.pause(FIRST_PAUSE_MILLIS);
    }

    private Future<Void> scan() {
        timer.cancel();
        boolean overdue = phase.deadlineNanos() - System.nanoTime() <= 0;
        boolean last = phase instanceof Phase.Killing && overdue;
        if (phase instanceof Phase.Grace grace && grace.asked() && overdue) {
            startKilling();
        }
        String signal = phase instanceof Phase.Killing ? Signals.KILL : stop.signal();
        CleanScans before = clean;
        return context.scanner()
                .take(tree.sinceTicks(), !tree.isLed(), snapshot -> members.signal(snapshot, signal, before))
                .onSuccess(found -> judge(found, last))
                .onFailure(this::scanFailed)
                .mapEmpty();
    }

    /** @param last whether the time after KILL had passed when the scan began */
    private void judge(TreeScan.Found found, boolean last) {
        scanSucceeded();
        if (phase instanceof Phase.Grace grace) {
            phase = new Phase.Grace(grace.deadlineNanos(), true);
        }
        clean = found.living() == 0 ? clean.plus(found.complete()) : CleanScans.NONE;
        if (clean.isEnd() || found.deserted()) {
            finish(Outcome.gone);
        } else if (clean.scans() >= CleanScans.ENOUGH) {
            scanAgain();
        } else if (clean.scans() > 0) {
            scans.run();
        } else if (!scans.isAskedAgain()) {
            waitOrEscalate(last);
        }
    }

    /** The result may be old, because this thread may have been delayed. */
    private void waitOrEscalate(boolean last) {
        long leftNanos = phase.deadlineNanos() - System.nanoTime();
        if (leftNanos > 0) {
            // Rounded up, so that the scan after the deadline sends KILL.
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1;
            timer.startWithin(leftMillis, LONGEST_PAUSE_MILLIS);
        } else if (phase instanceof Phase.Grace) {
            startKilling();
            scans.run();
        } else if (last) {
            finish(Outcome.survivors);
        } else {
            timer.pause(LONGEST_PAUSE_MILLIS);
            timer.start(LONGEST_PAUSE_MILLIS);
        }
    }

    /** The scans were clean but may have missed a process. */
    private void scanAgain() {
        long now = System.nanoTime();
        if (clean.scans() == CleanScans.ENOUGH) {
            unsettledSinceNanos = now;
            timer.pause(FIRST_PAUSE_MILLIS);
        }
        if (now - unsettledSinceNanos > context.killPatience().toNanos()) {
            MissedProcessesException unknown = new MissedProcessesException();
            LOG.warn("run {}: it is unknown whether processes of {} are left: {}", runId, name(), unknown.getMessage());
            giveUp(unknown);
            return;
        }
        timer.start(LONGEST_PAUSE_MILLIS);
    }

    private void giveUp(Throwable cause) {
        scans.close();
        receipt.tryFail(cause);
    }

    private void finish(Outcome outcome) {
        scans.close();
        receipt.complete(receipt(outcome));
    }

    private KillReceipt receipt(Outcome outcome) {
        return new KillReceipt(
                        runId,
                        stepId,
                        requestedAt,
                        context.clock().instant(),
                        outcome,
                        members.killed().processes())
                .withSandbox(tree.sandbox());
    }

    /** An unseen process is neither gone nor alive. */
    private void scanFailed(Throwable cause) {
        clean = CleanScans.NONE;
        if (TransientFailure.isShutdown(cause) || (!TransientFailure.is(cause) && isPersistent(cause))) {
            giveUp(cause);
            return;
        }
        if (!failing) {
            failing = true;
            LOG.warn(
                    "run {}: the process scan of {} failed and is repeated until it succeeds: {}",
                    runId,
                    name(),
                    cause.toString());
        }
        timer.start(LONGEST_FAILURE_PAUSE_MILLIS);
    }

    /** Returns whether a bug has lasted too long to be transient. */
    private boolean isPersistent(Throwable bug) {
        long now = System.nanoTime();
        if (bugSinceNanos.isEmpty()) {
            LOG.error("run {}: the process scan of {} failed unexpectedly", runId, name(), bug);
            bugSinceNanos = OptionalLong.of(now);
        }
        return now - bugSinceNanos.getAsLong() > context.killPatience().toNanos();
    }

    /** After failed scans, processes get the complete time after KILL again. */
    private void scanSucceeded() {
        bugSinceNanos = OptionalLong.empty();
        if (failing) {
            failing = false;
            timer.pause(FIRST_PAUSE_MILLIS);
            if (phase instanceof Phase.Killing) {
                startKilling();
            }
            LOG.info("run {}: the process scan of {} succeeds again", runId, name());
        }
    }

    private String name() {
        return stepId.orElse("a command");
    }
}
