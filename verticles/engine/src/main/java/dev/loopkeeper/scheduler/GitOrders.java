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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Executes the git commands of runs: each once at a time, and the merges of one run one after the other. Used from one
 * context only.
 */
final class GitOrders {
    private final GitRequests requests;
    private final Set<String> inProgress = new HashSet<>();
    /** Runs whose git processes are being ended. */
    private final Set<String> ending = new HashSet<>();
    /** By key of the request in progress: the same request from a newer actor of the run. */
    private final Map<String, Runnable> waitingCommands = new HashMap<>();

    /** By run: completes when its latest requested merge is done and decided. */
    private final Map<String, Future<Void>> merges = new HashMap<>();

    GitOrders(GitRequests requests) {
        this.requests = requests;
    }

    /**
     * Executes a git command if the run still waits for it; a command already in progress is not started again. It is
     * in progress until the run has decided on its result: a second reset could hit the worktree of a step that runs by
     * then. Merges of one run execute one at a time, each after the decision on the previous one.
     *
     * @param run current state of the run; empty once its actor was released
     * @param reply receives the result once, unless the runtime ends first; completes when the run has decided
     * @param failed receives a failure that is not one of git
     */
    void execute(
            String runId,
            Supplier<Optional<RunState>> run,
            RunCommand.Git order,
            Function<RunInput, Future<?>> reply,
            Consumer<Throwable> failed) {
        String key = runId + " " + order;
        if (!inProgress.add(key)) {
            waitingCommands.put(key, () -> execute(runId, run, order, reply, failed));
            return;
        }
        Supplier<Future<?>> work =
                () -> beginIfAwaited(run, order, reply, failed).onComplete(over -> ended(key, run));
        if (order instanceof RunCommand.MergeItem) {
            mergeInOrder(runId, work);
        } else {
            var unused = work.get();
        }
    }

    /**
     * Ends the git processes of the run's commands while it waits for none of them: a merge whose filter hangs would
     * outlive a stop. Repeated until they are over, since a command may start several.
     *
     * @param run current state of the run; empty once it is no longer loaded
     */
    void end(String runId, Supplier<Optional<RunState>> run) {
        boolean working = inProgress.stream().anyMatch(key -> key.startsWith(runId + " "));
        boolean awaited = run.get().stream()
                .flatMap(state -> GitRules.awaited(state).stream())
                .anyMatch(order -> inProgress.contains(runId + " " + order));
        if (working && !awaited && !requests.isClosed() && ending.add(runId)) {
            requests.endGit(runId).onComplete(done -> {
                ending.remove(runId);
                end(runId, run);
            });
        }
    }

    private Future<?> beginIfAwaited(
            Supplier<Optional<RunState>> run,
            RunCommand.Git order,
            Function<RunInput, Future<?>> reply,
            Consumer<Throwable> failed) {
        return run.get()
                .filter(state -> GitRules.awaited(state).contains(order))
                .<Future<?>>map(state -> begin(state, order, reply, failed))
                .orElseGet(Future::succeededFuture);
    }

    /**
     * Finishes a command. If its actor was released in the meantime, the request of the newer actor starts now. An
     * actor that is still loaded has received the result, and requests what it needs next.
     */
    private void ended(String key, Supplier<Optional<RunState>> run) {
        inProgress.remove(key);
        Optional<Runnable> again = Optional.ofNullable(waitingCommands.remove(key));
        again.filter(asked -> run.get().isEmpty() && !requests.isClosed()).ifPresent(Runnable::run);
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

    private Future<?> begin(
            RunState run, RunCommand.Git order, Function<RunInput, Future<?>> reply, Consumer<Throwable> failed) {
        return Future.<Void>succeededFuture()
                .compose(now -> requests.result(run, order))
                .recover(cause -> gitFailure(order, cause)
                        .<Future<GitResult>>map(found -> Future.succeededFuture(new GitResult.Failed(found)))
                        .orElseGet(() -> Future.failedFuture(cause)))
                .onFailure(failed::accept)
                .compose(result -> reply.apply(new RunInput.GitDone(Instants.now(), order, result)));
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
