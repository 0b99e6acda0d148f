package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.ConfineCommand;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeChannels.CommitMessage;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeChannels.EndPreparation;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PrepareWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.SetUpWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.manifest.WorktreeSetup;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.run.git.KeptWorktree;
import dev.loopkeeper.run.git.Merge;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the git requests of runs to the worktrees verticle. Every request is safe to repeat, and is retried after
 * transient failures. Used from one context only.
 */
final class GitRequests {
    private static final Logger LOG = LoggerFactory.getLogger(GitRequests.class);
    /** The worktrees verticle limits each git process itself, and serves the runs of one repository one by one. */
    private static final Duration TIMEOUT = Duration.ofMinutes(20);

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int TRIES = 5;

    private final Vertx vertx;
    private final Path data;
    private boolean closed;

    GitRequests(Vertx vertx, Path data) {
        this.vertx = vertx;
        this.data = data;
    }

    /** Marks the runtime as ending: failures from now on are not reported as failures of git. */
    void close() {
        closed = true;
    }

    /** Whether the runtime is ending. */
    boolean isClosed() {
        return closed;
    }

    /**
     * Returns the repository and base commit of a new run. Fails with {@link WorktreeException} where the run can have
     * no worktree.
     */
    Future<GitOrigin> origin(CheckWorkspace question) {
        return CheckoutChannels.CHECK
                .ask(vertx.eventBus(), question, TIMEOUT)
                .map(checked -> new GitOrigin(checked.repository().toString(), checked.prefix(), checked.base()));
    }

    /** Returns the step with its working folder set to its worktree, whether that exists or not. */
    StepSpec placed(StepSpec step) {
        return step.worktree()
                .map(worktree -> RunPaths.run(data, step.runId())
                        .resolve(worktree.folder())
                        .resolve(worktree.prefix()))
                .map(folder -> step.withWorkspace(folder.toString()))
                .orElse(step);
    }

    /**
     * Creates the worktree of a step where it is missing, and sets it up; completes at once for a step without one.
     *
     * @param begins whether the step begins; false for one that may run already
     */
    Future<Void> prepare(StepSpec step, boolean begins) {
        return step.worktree().isEmpty()
                ? Future.succeededFuture()
                : prepare(step.runId(), step.worktree().get(), begins)
                        .compose(ready -> setUp(step, step.worktree().get()));
    }

    private Future<Void> setUp(StepSpec step, StepWorktree worktree) {
        if (worktree.setup().isEmpty()) {
            return Future.succeededFuture();
        }
        WorktreeSetup setup = worktree.setup().get();
        return confinement(step, setup)
                .compose(words -> tried(
                        TRIES,
                        () -> WorktreeChannels.SET_UP.ask(
                                vertx.eventBus(),
                                new SetUpWorktree(
                                        location(step.runId(), worktree), worktree.prefix(), setup, step.env(), words),
                                setup.timeout().plus(TIMEOUT))))
                .mapEmpty();
    }

    /** Returns the words that confine a setup; fails with {@link SandboxRefusedException}. */
    private Future<List<String>> confinement(StepSpec step, WorktreeSetup setup) {
        StepSpec command = step.withAgentSpec(step.agentSpec().running(setup.command(), Map.of()));
        return setup.sandbox().isEmpty()
                ? Future.succeededFuture(List.of())
                : ProcessChannels.CONFINE
                        .ask(
                                vertx.eventBus(),
                                new ConfineCommand(command, setup.sandbox().get()),
                                TIMEOUT)
                        .compose(confined -> confined.refusal().isPresent()
                                ? Future.failedFuture(new SandboxRefusedException(
                                        "isolation.setup: " + confined.refusal().get()))
                                : Future.succeededFuture(confined.words()));
    }

    /** Stops the preparation of the step's worktree; the pending request for it then fails. */
    Future<EndPreparation> endPreparation(StepSpec step) {
        WorktreeLocation location = location(step.runId(), step.worktree().orElseThrow());
        return WorktreeChannels.END_PREPARATION
                .ask(vertx.eventBus(), new EndPreparation(location), SOON)
                .onFailure(cause -> LOG.warn(
                        "run {}: the preparation of worktree {} could not be ended: {}",
                        step.runId(),
                        location.folder(),
                        cause.getMessage()));
    }

    /** Creates this worktree of a run where it is missing. */
    Future<PreparedWorktree> prepare(String runId, StepWorktree worktree) {
        return prepare(runId, worktree, false);
    }

    private Future<PreparedWorktree> prepare(String runId, StepWorktree worktree, boolean begins) {
        PrepareWorktree command = new PrepareWorktree(
                location(runId, worktree),
                worktree.branch().base(),
                worktree.branch().head(),
                worktree.prefix(),
                worktree.copy(),
                begins);
        return ask(WorktreeChannels.PREPARE, command);
    }

    private static WorktreeLocation location(String runId, StepWorktree worktree) {
        return new WorktreeLocation(
                runId,
                Path.of(worktree.repository()),
                worktree.folder(),
                worktree.branch().branch());
    }

    private <Q, A> Future<A> ask(RequestChannel<Q, A> channel, Q command) {
        return tried(TRIES, () -> channel.ask(vertx.eventBus(), command, TIMEOUT));
    }

    /** Retries after transient failures, except a full disk, which the operator should learn of at once. */
    private <T> Future<T> tried(int tries, Supplier<Future<T>> work) {
        return work.get().recover(cause -> {
            if (closed) {
                return Future.failedFuture(new CancellationException("the runtime is stopping: " + cause.getMessage()));
            }
            boolean passes = cause instanceof WorktreeException failure
                    && failure.isTransient()
                    && failure.problem() != WorktreeException.Problem.DISK;
            if (!passes || tries <= 1) {
                return Future.failedFuture(cause);
            }
            LOG.debug("retrying the git command: {}", cause.getMessage());
            return vertx.timer(RETRY_DELAY.toMillis()).compose(now -> tried(tries - 1, work));
        });
    }

    /**
     * Commits the changes of an ended step, and compares what its repository's worktrees share. Fails only where the cause
     * is not a failure of git.
     *
     * @param how empty without a commit
     */
    Future<Committed> commit(StepSpec step, Optional<WorkspaceRules.StepCommit> how) {
        StepWorktree worktree = step.worktree().orElseThrow();
        CommitStep command = new CommitStep(
                location(step.runId(), worktree),
                worktree.branch().head(),
                worktree.branch().base(),
                new CommitMessage(
                        how.map(WorkspaceRules.StepCommit::subject).orElse(""),
                        step.stepId(),
                        step.nonce(),
                        how.map(WorkspaceRules.StepCommit::verdict).orElse("")),
                worktree.hooks(),
                protect(worktree.prefix(), step.agentSpec().loss().protect()));
        return ask(WorktreeChannels.COMMIT, command)
                .map(GitRequests::committed)
                .recover(cause -> gitFailure(cause)
                        .map(found -> new Committed(
                                Optional.empty(), new StepOutcome.Git(Optional.empty(), Optional.of(found))))
                        .map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(cause)));
    }

    /** Globs of a workspace, as globs of its repository. */
    private static List<String> protect(String prefix, List<String> globs) {
        return prefix.isEmpty()
                ? globs
                : globs.stream()
                        .map(glob -> prefix + "/" + glob.replaceFirst("^\\./", ""))
                        .toList();
    }

    /** Stops the git hooks of this step's commit; the pending commit request then fails. */
    Future<EndHooks> endHooks(String runId, String stepId) {
        return WorktreeChannels.END_HOOKS
                .ask(vertx.eventBus(), new EndHooks(runId, stepId), SOON)
                .onFailure(cause -> LOG.warn(
                        "run {}: the git hooks of {} could not be ended: {}", runId, stepId, cause.getMessage()));
    }

    /** Ends the git processes of the run that belong to no step, and waits before the next try. */
    Future<Void> endGit(String runId) {
        return endHooks(runId, EndHooks.OF_RUN)
                .eventually(() -> vertx.timer(RETRY_DELAY.toMillis()))
                .mapEmpty();
    }

    /**
     * Result of a commit.
     *
     * @param tree hash of the worktree's content; absent when it is unknown
     */
    record Committed(Optional<String> tree, StepOutcome.Git git) {
        static final Committed NOTHING = new Committed(Optional.empty(), StepOutcome.Git.NOTHING);
    }

    private static Committed committed(StepCommitted answer) {
        Optional<StepOutcome.Commit> commit = answer.commit()
                .map(hash -> new StepOutcome.Commit(hash, changed(answer.changes()), changed(answer.total())));
        return new Committed(
                Optional.of(answer.tree()).filter(tree -> !tree.isEmpty()),
                new StepOutcome.Git(commit, Optional.empty(), answer.warnings()));
    }

    private static Changed changed(Changes changes) {
        return new Changed(changes.files(), changes.insertions(), changes.deletions());
    }

    /** Returns the failure of git; empty when the cause is something else, such as a missing answer. */
    static Optional<GitFailure> gitFailure(Throwable cause) {
        if (!(cause instanceof WorktreeException failure)) {
            return Optional.empty();
        }
        boolean ofWork = failure.problem() == WorktreeException.Problem.UNMERGED
                || failure.problem() == WorktreeException.Problem.HOOK_REFUSED;
        return Optional.of(new GitFailure(failure.getMessage(), ofWork));
    }

    /** Sends the requests of a command; fails with {@link WorktreeException} where git fails. */
    Future<GitResult> result(RunState run, RunCommand.Git order) {
        String runId = run.runId();
        if (order instanceof RunCommand.MergeItem merge) {
            // Prepares the item's worktree too: its branch may have been removed since its last step.
            return prepare(runId, merge.from())
                    .compose(item -> prepare(runId, at(run, merge.into())))
                    .compose(ready -> merge(runId, merge));
        }
        if (order instanceof RunCommand.UndoWork undo) {
            ResetWorktree command = new ResetWorktree(location(runId, undo.worktree()), undo.to(), undo.keepAs());
            return prepare(runId, undo.worktree())
                    .compose(ready -> ask(WorktreeChannels.RESET, command))
                    .map(done -> new GitResult.Undone(done.kept()));
        }
        if (order instanceof RunCommand.DropWorktree drop) {
            return finish(new FinishWorktree(location(runId, drop.worktree()), false, true));
        }
        RunCommand.FinishWorktree finish = (RunCommand.FinishWorktree) order;
        return finish(new FinishWorktree(location(runId, finish.worktree()), finish.keep(), false));
    }

    /** A merge command does not carry the current head of the run's branch. */
    private static StepWorktree at(RunState run, StepWorktree worktree) {
        return run.git().map(git -> worktree.headedAt(git.head())).orElse(worktree);
    }

    private Future<GitResult> merge(String runId, RunCommand.MergeItem merge) {
        MergeItem command = new MergeItem(
                location(runId, merge.into()),
                merge.into().branch().base(),
                location(runId, merge.from()),
                merge.item(),
                merge.attempt(),
                merge.into().hooks());
        return ask(WorktreeChannels.MERGE_ITEM, command).map(GitRequests::merged);
    }

    private static GitResult merged(ItemMerged answer) {
        return new GitResult.Merged(new Merge(
                answer.commit(),
                answer.head(),
                answer.conflicts(),
                changed(answer.changes()),
                changed(answer.total())));
    }

    private Future<GitResult> finish(FinishWorktree command) {
        WorktreeLocation location = command.location();
        String folder =
                RunPaths.run(data, location.runId()).resolve(location.folder()).toString();
        return ask(WorktreeChannels.FINISH, command)
                .map(WorktreeFinished::reason)
                .recover(cause -> gitFailure(cause)
                        .map(failure -> Future.succeededFuture(Optional.of(failure.message())))
                        .orElseGet(() -> Future.failedFuture(cause)))
                .map(reason -> new GitResult.Finished(reason.map(text -> new KeptWorktree(folder, text))));
    }
}
