package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.process.tree.MissedProcessesException;
import dev.loopkeeper.process.tree.ProcessTree;
import dev.loopkeeper.process.tree.ProcessTreeTermination;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Supervises one step from its launch or adoption to its report: the agent, its process tree and its stop. */
final class StepLife {
    private static final Logger LOG = LoggerFactory.getLogger(StepLife.class);
    private static final long READ_AGAIN_MILLIS = 200;
    /** A disk that fails to return data for this long is treated as broken. */
    private static final long READ_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SupervisorContext around;
    private final StepOrder order;
    private final StepFolder folder;
    private final AgentMonitor watch;
    private final Watchdog watchdog;
    private final UnaryOperator<String> normalise;
    private final Promise<StepExited> exited = Promise.promise();

    private Optional<ExitCause> asked = Optional.empty();
    private Optional<ProcessTreeTermination> ending = Optional.empty();
    private Optional<Future<KillReceipt>> stopping = Optional.empty();
    /** Read by the scan that found no process left, to save another task. */
    private volatile Optional<StepResults> results = Optional.empty();

    private boolean hurried;
    /** Whether the newest termination knows the agent. */
    private boolean led;

    StepLife(
            SupervisorContext around,
            StepOrder order,
            StepFolder folder,
            Launcher launcher,
            UnaryOperator<String> normalise) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.watch = new AgentMonitor(around, order, folder, launcher);
        this.watchdog = new Watchdog(around, order, folder, this::expire);
        this.normalise = normalise;
    }

    /** Launches or adopts it; see {@link AgentMonitor#begin}. Answers once the agent runs or is known not to. */
    Future<StepLaunched> begin(Optional<StepSpec> step, boolean first) {
        watch.begin(step, first);
        watch.running().onSuccess(agent -> guard());
        watch.ended().compose(this::sweep).onComplete(exited);
        return watch.launched();
    }

    /** The same answer again. */
    Future<StepLaunched> launched() {
        return watch.launched();
    }

    StepOrder order() {
        return order;
    }

    StepFolder folder() {
        return folder;
    }

    /** See {@link AgentMonitor#hasSoleLauncher}. */
    boolean hasSoleLauncher() {
        return watch.hasSoleLauncher();
    }

    /** Completes with the report after all processes are gone or cannot be killed. Fails for an internal error. */
    Future<StepExited> exited() {
        return exited.future();
    }

    /** The agent while it lives. */
    Optional<LiveProcess> process() {
        if (watch.ended().isComplete()) {
            return Optional.empty();
        }
        return watch.agent()
                .map(agent -> LiveProcess.of(
                        order.runId(),
                        order.stepId(),
                        order.role(),
                        agent.pid(),
                        watch.startedAt(),
                        order.command(),
                        asked.isPresent() ? LiveProcess.STOPPING : LiveProcess.RUNNING));
    }

    /**
     * Ends the tree. The first cause counts; {@code now} skips the grace, also of a termination in progress. The next call
     * repeats a failed termination.
     */
    Future<KillReceipt> stop(ExitCause cause, boolean now) {
        hurried |= now;
        if (now) {
            ending.ifPresent(ProcessTreeTermination::skipGrace);
        }
        if (stopping.filter(begun -> !begun.failed()).isEmpty()) {
            watch.beginStop();
            stopping = Optional.of(watch.launched().compose(launched -> endTree(cause)));
        }
        return stopping.get();
    }

    /** Ends the supervision of an agent that lives on. */
    void release() {
        watch.release();
        watchdog.release();
    }

    private void guard() {
        if (!watch.ended().isComplete()) {
            watchdog.begin();
        }
    }

    /** An agent that has exited was in time, however late that is seen. */
    private void expire(ExitCause cause) {
        around.workers()
                .executeBlocking(() -> folder.exit().isPresent(), false)
                .otherwise(false)
                .onSuccess(over -> {
                    if (over) {
                        watch.pollNow();
                    } else {
                        stop(cause, false).onFailure(broken -> watch.giveUp());
                    }
                });
    }

    private Future<KillReceipt> endTree(ExitCause cause) {
        if (isEnding()) {
            return ending.orElseThrow().receipt();
        }
        if (watch.ended().isComplete()) {
            return exited.future().map(StepExited::swept);
        }
        asked = Optional.of(cause);
        ProcessTreeTermination begun = newEnding(true).noting(() -> note(cause));
        ending = Optional.of(begun.begin(hurried));
        return begun.receipt().onSuccess(this::agentMustBeGone);
    }

    private Void note(ExitCause cause) throws IOException {
        folder.noteStop(cause);
        return null;
    }

    /** The launcher is about to record the end, unless there is none. */
    private void agentMustBeGone(KillReceipt receipt) {
        if (receipt.outcome() == Outcome.survivors) {
            watch.giveUp();
        } else {
            watch.treeIsGone();
        }
    }

    /** Whether a termination is in progress or done, and did not fail. */
    private boolean isEnding() {
        return ending.filter(begun -> !begun.receipt().failed()).isPresent();
    }

    /** A termination that began before the agent was seen does not know its session. */
    private ProcessTreeTermination beginEnding() {
        if (!isEnding() || (!led && watch.agent().isPresent())) {
            ending = Optional.of(
                    newEnding(watch.seen()).concluding(this::readAhead).begin(hurried));
        }
        return ending.get();
    }

    private ProcessTreeTermination newEnding(boolean watched) {
        boolean first = ending.isEmpty();
        led = watch.agent().isPresent();
        ProcessTree tree = new ProcessTree(order.nonce(), watch.agent(), watched, order.enclosure())
                .recorded(folder, !(first && watch.launchedHere()));
        return new ProcessTreeTermination(
                around.trees(), order.runId(), Optional.of(order.stepId()), tree, order.stop());
    }

    /** The agent is gone; ends the processes that it left. */
    private Future<StepExited> sweep(AgentEnd end) {
        watchdog.release();
        ProcessTreeTermination sweep = beginEnding();
        sweep.rescan();
        return sweep.receipt()
                .compose(receipt -> results(sweep, receipt).map(results -> report(end, receipt, results)))
                .recover(failure -> sweep.receipt().failed() && !TransientFailure.isShutdown(failure)
                        ? Future.succeededFuture(report(
                                end,
                                sweep.unverified(),
                                StepResults.unreadable("what step " + order.stepId() + " left could not be scanned: "
                                        + (failure instanceof MissedProcessesException
                                                ? failure.getMessage()
                                                : failure))))
                        : Future.failedFuture(failure));
    }

    private Future<StepResults> results(ProcessTreeTermination sweep, KillReceipt receipt) {
        return results.isPresent()
                ? Future.succeededFuture(results.get())
                : readResults(sweep, receipt, System.nanoTime());
    }

    /** No process is left that could still write to it. */
    private void readAhead() {
        try {
            results = Optional.of(readResults());
        } catch (IOException | RuntimeException unread) {
            LOG.debug("what step {} left is read once more: {}", order.key(), unread.toString());
        }
    }

    /** Retries while the machine fails: unread is not the same as unwritten. */
    private Future<StepResults> readResults(ProcessTreeTermination sweep, KillReceipt receipt, long sinceNanos) {
        return around.workers()
                .executeBlocking(() -> readResults(sweep, receipt), false)
                .recover(cause -> {
                    if (cause instanceof AccessDeniedException denied) {
                        LOG.warn("what step {} left may not be read: {}", order.key(), denied.getMessage());
                        return Future.succeededFuture(StepResults.denied(order));
                    }
                    if (TransientFailure.is(cause) && System.nanoTime() - sinceNanos < READ_WITHIN_NANOS) {
                        return around.vertx()
                                .timer(READ_AGAIN_MILLIS)
                                .compose(again -> readResults(sweep, receipt, sinceNanos));
                    }
                    if (TransientFailure.isShutdown(cause)) {
                        return Future.failedFuture(cause);
                    }
                    LOG.error("what step {} left in {} cannot be read", order.key(), folder.path(), cause);
                    return Future.succeededFuture(
                            StepResults.unreadable("what step " + order.stepId() + " left cannot be read: " + cause));
                });
    }

    private StepResults readResults(ProcessTreeTermination sweep, KillReceipt receipt) throws IOException {
        if (receipt.outcome() == Outcome.survivors) {
            folder.noteSurvivors(sweep.survivors());
        }
        return readResults();
    }

    private StepResults readResults() throws IOException {
        around.logs().hold(folder);
        return StepResults.of(folder, order, normalise);
    }

    private StepExited report(AgentEnd end, KillReceipt receipt, StepResults results) {
        return new StepExited(
                order.runId(),
                order.stepId(),
                cause(end, results),
                watch.agent().map(agent -> OptionalLong.of(agent.pid())).orElse(OptionalLong.empty()),
                end.exitCode(),
                results.startedAt().orElse(watch.startedAt()),
                endedAt(end, results),
                end.diagnostic(),
                end.launchError(),
                results.output().matched(),
                results.output().digest(),
                receipt,
                end.internalError().or(results::internalError));
    }

    /** The end of a step that was gone before this runtime started may be unknown; then its last sign counts. */
    private Instant endedAt(AgentEnd end, StepResults results) {
        boolean foundGone = end.natural() == ExitCause.VANISHED && !watch.seen();
        return results.endedAt()
                .or(() -> foundGone ? results.lastSign() : Optional.empty())
                .orElse(around.clock().instant());
    }

    /** A requested stop counts, also one of an earlier runtime; a failed launch stays one. */
    private ExitCause cause(AgentEnd end, StepResults results) {
        if (end.natural() == ExitCause.LAUNCH_FAILED) {
            return end.natural();
        }
        return asked.or(results::stopCause).orElse(end.natural());
    }
}
