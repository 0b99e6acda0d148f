package dev.loopkeeper.process;

import dev.loopkeeper.process.KillReceipt.Outcome;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** One step from its launch or adoption to its report: the agent, its tree and whoever wants it to end. */
final class StepLife {
    private final Surroundings around;
    private final StepOrder order;
    private final StepFolder folder;
    private final AgentWatch watch;
    private final Watchdog watchdog;
    private final UnaryOperator<String> normalise;
    private final Promise<StepExited> exited = Promise.promise();

    private Optional<ExitCause> asked = Optional.empty();
    private Optional<TreeEnding> ending = Optional.empty();
    private Optional<Future<KillReceipt>> stopping = Optional.empty();
    private boolean hurried;

    StepLife(
            Surroundings around,
            StepOrder order,
            StepFolder folder,
            Launcher launcher,
            UnaryOperator<String> normalise) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.watch = new AgentWatch(around, order, folder, launcher);
        this.watchdog = new Watchdog(around, order, folder, this::expire);
        this.normalise = normalise;
    }

    /** Launches or adopts it; see {@link AgentWatch#begin}. Answers once the agent runs or is known not to. */
    Future<StepLaunched> begin(Optional<StepSpec> step) {
        watch.begin(step);
        watch.ended().onSuccess(this::sweep);
        return watch.launched().onSuccess(launched -> guard(launched));
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

    /** Completes with the report after the agent and all it left are gone, or will not go. */
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
                        order,
                        agent,
                        watch.startedAt(),
                        asked.isPresent() ? LiveProcess.STOPPING : LiveProcess.RUNNING));
    }

    /** Ends the tree. The first cause counts; {@code now} skips the grace, also of an ending under way. */
    Future<KillReceipt> stop(ExitCause cause, boolean now) {
        hurried |= now;
        if (now) {
            ending.ifPresent(TreeEnding::hasten);
        }
        if (stopping.isEmpty()) {
            stopping = Optional.of(watch.launched().compose(launched -> endTree(cause)));
        }
        return stopping.get();
    }

    /** Lets it live on unwatched. */
    void release() {
        watch.release();
        watchdog.release();
    }

    private void guard(StepLaunched launched) {
        if (launched.pid().isPresent() && !watch.ended().isComplete()) {
            watchdog.begin(watch.startedAt());
        }
    }

    private void expire(ExitCause cause) {
        stop(cause, false).onFailure(broken -> watch.giveUp());
    }

    private Future<KillReceipt> endTree(ExitCause cause) {
        if (ending.isPresent()) {
            return ending.get().receipt();
        }
        if (watch.ended().isComplete()) {
            return exited.future().map(StepExited::swept);
        }
        asked = Optional.of(cause);
        return around.workers()
                .executeBlocking(() -> note(cause), false)
                .transform(noted -> beginEnding(true).receipt())
                .onSuccess(this::agentMustBeGone);
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
            watch.hurry();
        }
    }

    private TreeEnding beginEnding(boolean watched) {
        if (ending.isEmpty()) {
            ProcessTree tree = new ProcessTree(order.nonce(), watch.agent(), watched, order.enclosure());
            TreeEnding begun = new TreeEnding(around, order.runId(), Optional.of(order.stepId()), tree, order.stop());
            ending = Optional.of(begun.begin(hurried));
        }
        return ending.get();
    }

    /** The agent is gone: so must be what it left. */
    private void sweep(Ending end) {
        watchdog.release();
        boolean seenAlive = watch.launched().result().pid().isPresent();
        TreeEnding sweep = beginEnding(seenAlive);
        sweep.nudge();
        sweep.receipt()
                .recover(broken -> Future.succeededFuture(nothingSwept()))
                .compose(receipt -> readRemains(sweep, receipt).map(remains -> report(end, receipt, remains)))
                .onComplete(exited);
    }

    private KillReceipt nothingSwept() {
        Instant now = around.clock().instant();
        return new KillReceipt(order.runId(), Optional.of(order.stepId()), now, now, Outcome.survivors, List.of());
    }

    private Future<Remains> readRemains(TreeEnding sweep, KillReceipt receipt) {
        return around.workers()
                .executeBlocking(() -> remains(sweep, receipt), false)
                .otherwise(Remains.UNREADABLE);
    }

    private Remains remains(TreeEnding sweep, KillReceipt receipt) throws IOException {
        if (receipt.outcome() == Outcome.survivors) {
            folder.noteSurvivors(sweep.survivors());
        }
        around.logs().hold(folder);
        return Remains.of(folder, order, normalise);
    }

    private StepExited report(Ending end, KillReceipt receipt, Remains remains) {
        return new StepExited(
                order.runId(),
                order.stepId(),
                cause(end, remains),
                end.agent().map(agent -> OptionalLong.of(agent.pid())).orElse(OptionalLong.empty()),
                end.exitCode(),
                remains.startedAt().orElse(watch.startedAt()),
                remains.endedAt().orElse(around.clock().instant()),
                end.diagnostic(),
                remains.output().matched(),
                remains.output().digest(),
                receipt);
    }

    /** Who asked counts, also when an earlier runtime was asked; a launch that failed stays one. */
    private ExitCause cause(Ending end, Remains remains) {
        if (end.natural() == ExitCause.LAUNCH_FAILED) {
            return end.natural();
        }
        return asked.or(remains::stopCause).orElse(end.natural());
    }
}
