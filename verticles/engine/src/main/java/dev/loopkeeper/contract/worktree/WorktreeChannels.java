package dev.loopkeeper.contract.worktree;

import dev.loopkeeper.contract.RequestChannel;

/**
 * Event-bus channels of worktrees. Each command is safe to repeat, also after a kill at any moment, since it finds its
 * earlier effects. Commands of one repository are executed one at a time. Each fails with {@link WorktreeException}.
 * Only {@link #MERGE_RUN} changes the person's checkout.
 */
public final class WorktreeChannels {
    /** Checks whether runs can have worktrees of a workspace. */
    public static final RequestChannel<CheckWorkspace, CheckedWorkspace> CHECK =
            new RequestChannel<>("loopkeeper.worktrees.check", CheckWorkspace.class, CheckedWorkspace.class);
    /** Creates a worktree on its own branch. */
    public static final RequestChannel<PrepareWorktree, PreparedWorktree> PREPARE =
            new RequestChannel<>("loopkeeper.worktrees.prepare", PrepareWorktree.class, PreparedWorktree.class);
    /** Commits the changes in a worktree. */
    public static final RequestChannel<CommitStep, StepCommitted> COMMIT =
            new RequestChannel<>("loopkeeper.worktrees.commit", CommitStep.class, StepCommitted.class);
    /** Ends hooks of a run that is to stop; executed at once. */
    public static final RequestChannel<EndHooks, HooksEnded> END_HOOKS =
            new RequestChannel<>("loopkeeper.worktrees.end-hooks", EndHooks.class, HooksEnded.class);
    /** Ends the preparation of a worktree for a step that is to stop; executed at once. */
    public static final RequestChannel<EndPreparation, PreparationEnded> END_PREPARATION =
            new RequestChannel<>("loopkeeper.worktrees.end-preparation", EndPreparation.class, PreparationEnded.class);
    /** Resets a worktree to an earlier commit. */
    public static final RequestChannel<ResetWorktree, WorktreeReset> RESET =
            new RequestChannel<>("loopkeeper.worktrees.reset", ResetWorktree.class, WorktreeReset.class);
    /** Merges an item's branch into the run's branch. */
    public static final RequestChannel<MergeItem, ItemMerged> MERGE_ITEM =
            new RequestChannel<>("loopkeeper.worktrees.merge-item", MergeItem.class, ItemMerged.class);
    /** Removes a worktree that is no longer needed. */
    public static final RequestChannel<FinishWorktree, WorktreeFinished> FINISH =
            new RequestChannel<>("loopkeeper.worktrees.finish", FinishWorktree.class, WorktreeFinished.class);
    /** Returns the changes between two commits. */
    public static final RequestChannel<DiffCommits, CommitsDiff> DIFF =
            new RequestChannel<>("loopkeeper.worktrees.diff", DiffCommits.class, CommitsDiff.class);
    /** Returns changes of any size in parts. */
    public static final RequestChannel<ReadDiff, DiffPart> READ_DIFF =
            new RequestChannel<>("loopkeeper.worktrees.read-diff", ReadDiff.class, DiffPart.class);
    /** Merges a run's branch in the person's checkout. */
    public static final RequestChannel<MergeRun, RunMerged> MERGE_RUN =
            new RequestChannel<>("loopkeeper.worktrees.merge-run", MergeRun.class, RunMerged.class);
    /** Finds work that would be lost with a removed run. */
    public static final RequestChannel<FindUnsavedWork, UnsavedWork> FIND_UNSAVED_WORK =
            new RequestChannel<>("loopkeeper.worktrees.find-unsaved-work", FindUnsavedWork.class, UnsavedWork.class);
    /** Removes the worktrees of a removed run. */
    public static final RequestChannel<PruneRun, RunPruned> PRUNE =
            new RequestChannel<>("loopkeeper.worktrees.prune", PruneRun.class, RunPruned.class);

    private WorktreeChannels() {}
}
