package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.GitRules;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the git commands of runs: each once at a time, and the merges of one run one after the other. Used from one
 * context only.
 */
final class GitOrders {
    private static final Logger LOG = LoggerFactory.getLogger(GitOrders.class);

    private final Scheduler scheduler;
    private final Set<String> inProgress = new HashSet<>();
    /** Runs whose git processes are being ended. */
    private final Set<String> ending = new HashSet<>();
    /** By key of the request in progress: the same request from a newer actor of the run. */
    private final Map<String, Runnable> waitingCommands = new HashMap<>();

    /** By run: completes when its latest requested merge is done and decided. */
    private final Map<String, Future<Void>> merges = new HashMap<>();

    GitOrders(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Executes a git command if the run still waits for it; a command already in progress is not started again. It is
     * in progress until the run has decided on its result: a second reset could hit the worktree of a step that runs by
     * then. Merges of one run execute one at a time, each after the decision on the previous one.
     */
    void execute(RunActor run, RunCommand.Git order) {
        String key = run.runId() + " " + order;
        if (!inProgress.add(key)) {
            waitingCommands.put(key, () -> execute(run, order));
            return;
        }
        Supplier<Future<?>> work = () -> beginIfAwaited(run, order).onComplete(over -> ended(key, run));
        if (order instanceof RunCommand.MergeItem) {
            mergeInOrder(run.runId(), work);
        } else {
            var unused = work.get();
        }
    }

    /**
     * Ends the git processes of the run's commands while it waits for none of them: a merge whose filter hangs would
     * outlive a stop. Repeated until they are over, since a command may start several.
     */
    void end(String runId) {
        boolean working = inProgress.stream().anyMatch(key -> key.startsWith(runId + " "));
        boolean awaited = scheduler.actors.loaded(runId).stream()
                .flatMap(run -> GitRules.awaited(run.state()).stream())
                .anyMatch(order -> inProgress.contains(runId + " " + order));
        if (working && !awaited && !scheduler.git.isClosed() && ending.add(runId)) {
            scheduler.git.endGit(runId).onComplete(done -> {
                ending.remove(runId);
                end(runId);
            });
        }
    }

    /** Returns the run's state; empty once this actor was released, even where a new actor has loaded the run. */
    private Optional<RunState> held(RunActor run) {
        return scheduler
                .actors
                .loaded(run.runId())
                .filter(loaded -> loaded == run)
                .map(RunActor::state);
    }

    private Future<?> beginIfAwaited(RunActor run, RunCommand.Git order) {
        return held(run)
                .filter(state -> GitRules.awaited(state).contains(order))
                .<Future<?>>map(state -> begin(run, order))
                .orElseGet(Future::succeededFuture);
    }

    /**
     * Finishes a command. If its actor was released in the meantime, the request of the newer actor starts now. An
     * actor that is still loaded has received the result, and requests what it needs next.
     */
    private void ended(String key, RunActor run) {
        inProgress.remove(key);
        Optional<Runnable> again = Optional.ofNullable(waitingCommands.remove(key));
        again.filter(asked -> held(run).isEmpty() && !scheduler.git.isClosed()).ifPresent(Runnable::run);
    }

    /**
     * Queues a merge behind the run's previous one. It is not dropped: the decision on the previous merge may have
     * requested it, and would not request it again.
     */
    private void mergeInOrder(String runId, Supplier<Future<?>> merge) {
        Future<Void> before = merges.getOrDefault(runId, Future.succeededFuture());
        Promise<Void> over = Promise.promise();
        Future<Void> mine = over.future();
        merges.put(runId, mine);
        before.compose(mayBegin -> merge.get()).onComplete(done -> {
            merges.remove(runId, mine);
            over.complete();
        });
    }

    private Future<?> begin(RunActor run, RunCommand.Git order) {
        return Future.<Void>succeededFuture()
                .compose(now -> scheduler.git.result(run.state(), order))
                .recover(cause -> gitFailure(order, cause)
                        .<Future<GitResult>>map(found -> Future.succeededFuture(new GitResult.Failed(found)))
                        .orElseGet(() -> Future.failedFuture(cause)))
                .onFailure(cause -> failed(run, cause))
                .compose(result -> run.report(new RunInput.GitDone(Instants.now(), order, result)));
    }

    private static void failed(RunActor run, Throwable cause) {
        if (TransientFailure.isShutdown(cause)) {
            LOG.debug("run {}: the pending git command is left to the next runtime", run.runId());
            return;
        }
        LOG.error("run {}: the git command could not be sent", run.runId(), cause);
        run.deliver(RunActors.broken(cause.toString()));
    }

    /**
     * Returns the failure to report to the run. Any failure to drop a worktree is reported as one of git, since it
     * blocks no work and must not end the run.
     */
    private static Optional<GitFailure> gitFailure(RunCommand.Git order, Throwable cause) {
        boolean matters = !(order instanceof RunCommand.DropWorktree);
        return matters || TransientFailure.isShutdown(cause)
                ? GitRequests.gitFailure(cause)
                : GitRequests.gitFailure(cause).or(() -> Optional.of(new GitFailure(cause.toString(), false)));
    }
}
