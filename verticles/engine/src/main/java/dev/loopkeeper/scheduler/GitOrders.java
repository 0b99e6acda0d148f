package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.worktree.Changes;
import dev.loopkeeper.contract.worktree.CheckWorkspace;
import dev.loopkeeper.contract.worktree.CommitStep;
import dev.loopkeeper.contract.worktree.EndHooks;
import dev.loopkeeper.contract.worktree.EndPreparation;
import dev.loopkeeper.contract.worktree.FinishWorktree;
import dev.loopkeeper.contract.worktree.HooksEnded;
import dev.loopkeeper.contract.worktree.ItemMerged;
import dev.loopkeeper.contract.worktree.MergeItem;
import dev.loopkeeper.contract.worktree.PreparationEnded;
import dev.loopkeeper.contract.worktree.PrepareWorktree;
import dev.loopkeeper.contract.worktree.PreparedWorktree;
import dev.loopkeeper.contract.worktree.ResetWorktree;
import dev.loopkeeper.contract.worktree.StepCommitted;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreePlace;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.rules.GitFailure;
import dev.loopkeeper.rules.GitResult;
import dev.loopkeeper.rules.GitRules;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.run.Changed;
import dev.loopkeeper.run.GitOrigin;
import dev.loopkeeper.run.KeptWorktree;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for what runs want of git. Everything is safe to repeat, and is repeated where it may succeed then. Used from one
 * context only.
 */
final class GitOrders {
    private static final Logger LOG = LoggerFactory.getLogger(GitOrders.class);
    /** Whoever answers ends each git in its own time, and works for one run of a repository after the other. */
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int TRIES = 5;

    private final Vertx vertx;
    private final Path data;
    private final Set<String> underWay = new HashSet<>();
    /** By what is under way: to be begun once more where the run was let go meanwhile. */
    private final Map<String, Runnable> askedMeanwhile = new HashMap<>();

    /** By run, when the last merge that it asked for is over and decided. */
    private final Map<String, Future<Void>> merges = new HashMap<>();

    private boolean closed;

    GitOrders(Vertx vertx, Path data) {
        this.vertx = vertx;
        this.data = data;
    }

    /** The runtime ends: what fails from now on says nothing of git. */
    void close() {
        closed = true;
    }

    /** Where a new run would come from; fails with {@link WorktreeException} where it can have no worktree. */
    Future<GitOrigin> origin(CheckWorkspace question) {
        return WorktreeChannels.CHECK
                .ask(vertx.eventBus(), question, PATIENCE)
                .map(checked -> new GitOrigin(checked.repository().toString(), checked.prefix(), checked.base()));
    }

    /** The step in the worktree that it works in, whether that is there or not. */
    StepSpec placed(StepSpec step) {
        return step.worktree()
                .map(worktree -> RunPaths.run(data, step.runId())
                        .resolve(worktree.folder())
                        .resolve(worktree.prefix()))
                .map(folder -> step.in(folder.toString()))
                .orElse(step);
    }

    /** Has the worktree of a step; at once for one without. */
    Future<Void> prepare(StepSpec step) {
        return step.worktree().isEmpty()
                ? Future.succeededFuture()
                : prepare(step.runId(), step.worktree().get()).mapEmpty();
    }

    /** Ends what makes the step's worktree ready. Whoever asked for that is told that it was ended. */
    Future<PreparationEnded> endPreparation(StepSpec step) {
        WorktreePlace place = place(step.runId(), step.worktree().orElseThrow());
        return WorktreeChannels.END_PREPARATION
                .ask(vertx.eventBus(), new EndPreparation(place), SOON)
                .onFailure(cause -> LOG.warn(
                        "run {}: the preparation of {} is not ended: {}",
                        step.runId(),
                        place.folder(),
                        cause.getMessage()));
    }

    /** Has this worktree of a run. */
    Future<PreparedWorktree> prepare(String runId, StepWorktree worktree) {
        PrepareWorktree command = new PrepareWorktree(
                place(runId, worktree), worktree.base(), worktree.head(), worktree.prefix(), worktree.copy());
        return tried(TRIES, () -> WorktreeChannels.PREPARE.ask(vertx.eventBus(), command, PATIENCE));
    }

    private static WorktreePlace place(String runId, StepWorktree worktree) {
        return new WorktreePlace(runId, Path.of(worktree.repository()), worktree.folder(), worktree.branch());
    }

    /** What passes by itself is waited for; a full disk is not: whoever runs the machine should hear of it. */
    private <T> Future<T> tried(int tries, Supplier<Future<T>> work) {
        return work.get().recover(cause -> {
            if (closed) {
                return Future.failedFuture(new CancellationException("the runtime ends: " + cause.getMessage()));
            }
            boolean passes = cause instanceof WorktreeException failure
                    && failure.isTransient()
                    && failure.problem() != WorktreeException.Problem.DISK;
            if (!passes || tries <= 1) {
                return Future.failedFuture(cause);
            }
            LOG.debug("git is asked again: {}", cause.getMessage());
            return vertx.timer(AGAIN_AFTER.toMillis()).compose(now -> tried(tries - 1, work));
        });
    }

    /** Makes what an ended step changed a commit. Fails with what is no answer of git. */
    Future<Committed> commit(StepSpec step, WorkspaceRules.StepCommit how) {
        StepWorktree worktree = step.worktree().orElseThrow();
        CommitStep command = new CommitStep(
                place(step.runId(), worktree),
                worktree.head(),
                worktree.base(),
                step.stepId(),
                how.verdict(),
                step.nonce(),
                how.subject(),
                worktree.hooks());
        return tried(TRIES, () -> WorktreeChannels.COMMIT.ask(vertx.eventBus(), command, PATIENCE))
                .map(GitOrders::committed)
                .recover(cause -> trouble(cause)
                        .map(found -> new Committed(
                                Optional.empty(), new StepOutcome.Git(Optional.empty(), Optional.of(found))))
                        .map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(cause)));
    }

    /** Ends the hooks that run for this step's commit. Whoever asked for what they are part of is told that they were ended. */
    Future<HooksEnded> endHooks(String runId, String stepId) {
        return WorktreeChannels.END_HOOKS
                .ask(vertx.eventBus(), new EndHooks(runId, stepId), SOON)
                .onFailure(
                        cause -> LOG.warn("run {}: hooks of {} are not ended: {}", runId, stepId, cause.getMessage()));
    }

    /**
     * What a commit came to.
     *
     * @param tree hash of all that is in the worktree; absent when it is not known
     */
    record Committed(Optional<String> tree, StepOutcome.Git git) {
        static final Committed NOTHING = new Committed(Optional.empty(), StepOutcome.Git.NOTHING);
    }

    private static Committed committed(StepCommitted answer) {
        Optional<StepOutcome.Commit> commit = answer.commit()
                .map(hash -> new StepOutcome.Commit(hash, changed(answer.changes()), changed(answer.total())));
        return new Committed(
                Optional.of(answer.tree()), new StepOutcome.Git(commit, Optional.empty(), answer.warnings()));
    }

    private static Changed changed(Changes changes) {
        return new Changed(changes.files(), changes.insertions(), changes.deletions());
    }

    /** Why git could not do something; empty when nobody knows, as nobody answered. */
    static Optional<GitFailure> trouble(Throwable cause) {
        if (!(cause instanceof WorktreeException failure)) {
            return Optional.empty();
        }
        boolean ofWork = failure.problem() == WorktreeException.Problem.UNMERGED
                || failure.problem() == WorktreeException.Problem.HOOK_REFUSED;
        return Optional.of(new GitFailure(failure.getMessage(), ofWork));
    }

    /**
     * Does what a run waits for, if it still does when its turn comes; what is under way already is not begun again. It is
     * under way until the run has decided what follows: a worktree that were set back once more would be that of a step
     * which has begun. Merges of one run are made one after the other, each where what became of the one before is
     * decided.
     *
     * @param run as it is at each moment; empty once whoever asks has let it go
     * @param told hears of it once, unless the runtime ends before; completes when it is decided
     * @param flawed hears of what is no answer of git
     */
    void carryOut(
            String runId,
            Supplier<Optional<RunState>> run,
            RunCommand.Git order,
            Function<RunInput, Future<?>> told,
            Consumer<Throwable> flawed) {
        String key = runId + " " + order;
        if (!underWay.add(key)) {
            askedMeanwhile.put(key, () -> carryOut(runId, run, order, told, flawed));
            return;
        }
        Supplier<Future<?>> work =
                () -> beginIfAwaited(run, order, told, flawed).onComplete(over -> ended(key, run));
        if (order instanceof RunCommand.MergeItem) {
            inTurn(runId, work);
        } else {
            var unused = work.get();
        }
    }

    private Future<?> beginIfAwaited(
            Supplier<Optional<RunState>> run,
            RunCommand.Git order,
            Function<RunInput, Future<?>> told,
            Consumer<Throwable> flawed) {
        Optional<RunState> waiting;
        try {
            waiting = run.get().filter(state -> GitRules.awaited(state).contains(order));
        } catch (RuntimeException | Error flaw) { // whatever breaks: what stays under way is never begun again
            flawed.accept(flaw);
            return Future.failedFuture(flaw);
        }
        return waiting.isPresent() ? begin(waiting.get(), order, told, flawed) : Future.succeededFuture();
    }

    /**
     * A run may be let go and taken up again while something is under way for it: only who took it up asks once more. A run
     * that is still the same has heard of the answer, or of the flaw, and asks by itself for what it wants then.
     */
    private void ended(String key, Supplier<Optional<RunState>> run) {
        underWay.remove(key);
        Optional<Runnable> again = Optional.ofNullable(askedMeanwhile.remove(key));
        again.filter(asked -> run.get().isEmpty() && !closed).ifPresent(Runnable::run);
    }

    /**
     * Whoever asks for a merge while one is under way waits here, and is not sent away: it may be the decision on that one
     * which asks, and nothing would ask again.
     */
    private void inTurn(String runId, Supplier<Future<?>> merge) {
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
            RunState run, RunCommand.Git order, Function<RunInput, Future<?>> told, Consumer<Throwable> flawed) {
        return Future.<Void>succeededFuture()
                .compose(now -> result(run, order))
                .recover(cause -> trouble(order, cause)
                        .<Future<GitResult>>map(found -> Future.succeededFuture(new GitResult.Failed(found)))
                        .orElseGet(() -> Future.failedFuture(cause)))
                .onFailure(flawed::accept)
                .compose(result -> told.apply(new RunInput.GitDone(Instants.now(), order, result)));
    }

    /** What holds up nothing of the work is no reason to end the run, whatever it is. */
    private static Optional<GitFailure> trouble(RunCommand.Git order, Throwable cause) {
        boolean matters = !(order instanceof RunCommand.DropWorktree);
        return matters || TransientFailure.isShutdown(cause)
                ? trouble(cause)
                : trouble(cause).or(() -> Optional.of(new GitFailure(cause.toString(), false)));
    }

    private Future<GitResult> result(RunState run, RunCommand.Git order) {
        String runId = run.runId();
        if (order instanceof RunCommand.MergeItem merge) {
            // Of the item, too: somebody may have removed its branch since its last step.
            return prepare(runId, merge.from())
                    .compose(item -> prepare(runId, at(run, merge.into())))
                    .compose(ready -> merge(runId, merge));
        }
        if (order instanceof RunCommand.UndoWork undo) {
            ResetWorktree command = new ResetWorktree(place(runId, undo.worktree()), undo.to(), undo.keepAs());
            return prepare(runId, undo.worktree())
                    .compose(ready ->
                            tried(TRIES, () -> WorktreeChannels.RESET.ask(vertx.eventBus(), command, PATIENCE)))
                    .map(done -> new GitResult.Undone(done.kept()));
        }
        if (order instanceof RunCommand.DropWorktree drop) {
            return finish(new FinishWorktree(place(runId, drop.worktree()), false, true));
        }
        RunCommand.FinishWorktree finish = (RunCommand.FinishWorktree) order;
        return finish(new FinishWorktree(place(runId, finish.worktree()), finish.keep(), false));
    }

    /** An order to merge does not say how far the run's branch has come. */
    private static StepWorktree at(RunState run, StepWorktree worktree) {
        return run.git().map(git -> worktree.headedAt(git.head())).orElse(worktree);
    }

    private Future<GitResult> merge(String runId, RunCommand.MergeItem merge) {
        MergeItem command = new MergeItem(
                place(runId, merge.into()),
                merge.into().base(),
                place(runId, merge.from()),
                merge.item(),
                merge.attempt(),
                merge.into().hooks());
        return tried(TRIES, () -> WorktreeChannels.MERGE_ITEM.ask(vertx.eventBus(), command, PATIENCE))
                .map(GitOrders::merged);
    }

    private static GitResult merged(ItemMerged answer) {
        return new GitResult.Merged(
                answer.commit(), answer.head(), answer.conflicts(), changed(answer.changes()), changed(answer.total()));
    }

    private Future<GitResult> finish(FinishWorktree command) {
        WorktreePlace place = command.place();
        String folder =
                RunPaths.run(data, place.runId()).resolve(place.folder()).toString();
        return tried(TRIES, () -> WorktreeChannels.FINISH.ask(vertx.eventBus(), command, PATIENCE))
                .map(done -> new GitResult.Finished(done.reason().map(reason -> new KeptWorktree(folder, reason))));
    }
}
