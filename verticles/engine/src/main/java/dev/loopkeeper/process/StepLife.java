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

/** One step from its launch or adoption to its report: the agent, its tree and whoever wants it to end. */
final class StepLife {
    private static final Logger LOG = LoggerFactory.getLogger(StepLife.class);
    private static final long READ_AGAIN_MILLIS = 200;
    /** A disk that does not give back for so long what it was given is broken. */
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
    /** Read by the look that found everybody gone: no other worker need be asked. */
    private volatile Optional<StepLeftovers> left = Optional.empty();

    private boolean hurried;
    /** Whether the newest ending knows who the agent is. */
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

    /** Completes with the report after the agent and all it left are gone, or will not go. Fails for a flaw of ours. */
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
     * Ends the tree. The first cause counts; {@code now} skips the grace, also of an ending under way. One that failed is
     * begun anew by whoever asks next.
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

    /** Lets it live on unwatched. */
    void release() {
        watch.release();
        watchdog.release();
    }

    private void guard() {
        if (!watch.ended().isComplete()) {
            watchdog.begin();
        }
    }

    /** An agent that has ended by itself was in time, however late that is seen. */
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

    /** Whether an ending is under way or done, and did not fail. */
    private boolean isEnding() {
        return ending.filter(begun -> !begun.receipt().failed()).isPresent();
    }

    /** One that began when the agent could not be seen did not know its session. */
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

    /** The agent is gone: so must be what it left. */
    private Future<StepExited> sweep(AgentEnd end) {
        watchdog.release();
        ProcessTreeTermination sweep = beginEnding();
        sweep.rescan();
        return sweep.receipt()
                .compose(receipt -> leftovers(sweep, receipt).map(remains -> report(end, receipt, remains)))
                .recover(flaw -> sweep.receipt().failed() && !TransientFailure.isShutdown(flaw)
                        ? Future.succeededFuture(report(
                                end,
                                sweep.unverified(),
                                StepLeftovers.unreadable("what step " + order.stepId() + " left cannot be looked for: "
                                        + (flaw instanceof MissedProcessesException ? flaw.getMessage() : flaw))))
                        : Future.failedFuture(flaw));
    }

    private Future<StepLeftovers> leftovers(ProcessTreeTermination sweep, KillReceipt receipt) {
        return left.isPresent() ? Future.succeededFuture(left.get()) : readRemains(sweep, receipt, System.nanoTime());
    }

    /** Nobody is left who could still write any of it. */
    private void readAhead() {
        try {
            left = Optional.of(remains());
        } catch (IOException | RuntimeException unread) {
            LOG.debug("what step {} left is read once more: {}", order.key(), unread.toString());
        }
    }

    /** Again while the machine is in trouble: what cannot be read now is not what was not written. */
    private Future<StepLeftovers> readRemains(ProcessTreeTermination sweep, KillReceipt receipt, long sinceNanos) {
        return around.workers()
                .executeBlocking(() -> remains(sweep, receipt), false)
                .recover(cause -> {
                    if (cause instanceof AccessDeniedException sealed) {
                        LOG.warn("what step {} left may not be read: {}", order.key(), sealed.getMessage());
                        return Future.succeededFuture(StepLeftovers.sealed(order));
                    }
                    if (TransientFailure.is(cause) && System.nanoTime() - sinceNanos < READ_WITHIN_NANOS) {
                        return around.vertx()
                                .timer(READ_AGAIN_MILLIS)
                                .compose(again -> readRemains(sweep, receipt, sinceNanos));
                    }
                    if (TransientFailure.isShutdown(cause)) {
                        return Future.failedFuture(cause);
                    }
                    LOG.error("what step {} left in {} cannot be read", order.key(), folder.path(), cause);
                    return Future.succeededFuture(
                            StepLeftovers.unreadable("what step " + order.stepId() + " left cannot be read: " + cause));
                });
    }

    private StepLeftovers remains(ProcessTreeTermination sweep, KillReceipt receipt) throws IOException {
        if (receipt.outcome() == Outcome.survivors) {
            folder.noteSurvivors(sweep.survivors());
        }
        return remains();
    }

    private StepLeftovers remains() throws IOException {
        around.logs().hold(folder);
        return StepLeftovers.of(folder, order, normalise);
    }

    private StepExited report(AgentEnd end, KillReceipt receipt, StepLeftovers remains) {
        return new StepExited(
                order.runId(),
                order.stepId(),
                cause(end, remains),
                watch.agent().map(agent -> OptionalLong.of(agent.pid())).orElse(OptionalLong.empty()),
                end.exitCode(),
                remains.startedAt().orElse(watch.startedAt()),
                endedAt(end, remains),
                end.diagnostic(),
                end.launchError(),
                remains.output().matched(),
                remains.output().digest(),
                receipt,
                end.internalError().or(remains::flaw));
    }

    /** Of a step that was gone when this runtime came, and of whose end no note tells, its last sign is known at best. */
    private Instant endedAt(AgentEnd end, StepLeftovers remains) {
        boolean foundGone = end.natural() == ExitCause.VANISHED && !watch.seen();
        return remains.endedAt()
                .or(() -> foundGone ? remains.lastSign() : Optional.empty())
                .orElse(around.clock().instant());
    }

    /** Who asked counts, also when an earlier runtime was asked; a launch that failed stays one. */
    private ExitCause cause(AgentEnd end, StepLeftovers remains) {
        if (end.natural() == ExitCause.LAUNCH_FAILED) {
            return end.natural();
        }
        return asked.or(remains::stopCause).orElse(end.natural());
    }
}
