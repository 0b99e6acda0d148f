package dev.loopkeeper.contract.worktree;

import dev.loopkeeper.contract.RequestChannel;

/**
 * Where worktrees are asked for. Every command is safe to repeat, also after a kill at any instant: it finds what it did
 * before. Commands that concern one repository are carried out one at a time. Each fails with {@link WorktreeException}.
 * None touches the person's checkout but {@link #MERGE_RUN}.
 */
public final class WorktreeChannels {
    /** Whether runs can have worktrees of this workspace. */
    public static final RequestChannel<CheckWorkspace, CheckedWorkspace> CHECK =
            new RequestChannel<>("loopkeeper.worktrees.check", CheckWorkspace.class, CheckedWorkspace.class);
    /** Have a worktree on a branch of its own. */
    public static final RequestChannel<PrepareWorktree, PreparedWorktree> PREPARE =
            new RequestChannel<>("loopkeeper.worktrees.prepare", PrepareWorktree.class, PreparedWorktree.class);
    /** Make what changed in a worktree one commit. */
    public static final RequestChannel<CommitStep, StepCommitted> COMMIT =
            new RequestChannel<>("loopkeeper.worktrees.commit", CommitStep.class, StepCommitted.class);
    /** End the hooks that run for a run which is to stop; not one at a time with the others. */
    public static final RequestChannel<EndHooks, HooksEnded> END_HOOKS =
            new RequestChannel<>("loopkeeper.worktrees.end-hooks", EndHooks.class, HooksEnded.class);
    /** End what prepares a worktree for a step which is to stop; not one at a time with the others. */
    public static final RequestChannel<EndPreparation, PreparationEnded> END_PREPARATION =
            new RequestChannel<>("loopkeeper.worktrees.end-preparation", EndPreparation.class, PreparationEnded.class);
    /** Set a worktree back to an earlier commit. */
    public static final RequestChannel<ResetWorktree, WorktreeReset> RESET =
            new RequestChannel<>("loopkeeper.worktrees.reset", ResetWorktree.class, WorktreeReset.class);
    /** Merge an item's branch into the run's branch. */
    public static final RequestChannel<MergeItem, ItemMerged> MERGE_ITEM =
            new RequestChannel<>("loopkeeper.worktrees.merge-item", MergeItem.class, ItemMerged.class);
    /** Remove a worktree that is not needed any more. */
    public static final RequestChannel<FinishWorktree, WorktreeFinished> FINISH =
            new RequestChannel<>("loopkeeper.worktrees.finish", FinishWorktree.class, WorktreeFinished.class);
    /** What changed between two commits. */
    public static final RequestChannel<DiffCommits, CommitsDiff> DIFF =
            new RequestChannel<>("loopkeeper.worktrees.diff", DiffCommits.class, CommitsDiff.class);
    /** The same part by part, however much it is. */
    public static final RequestChannel<ReadDiff, DiffPart> READ_DIFF =
            new RequestChannel<>("loopkeeper.worktrees.read-diff", ReadDiff.class, DiffPart.class);
    /** Merge a run's branch in the person's checkout. */
    public static final RequestChannel<MergeRun, RunMerged> MERGE_RUN =
            new RequestChannel<>("loopkeeper.worktrees.merge-run", MergeRun.class, RunMerged.class);
    /** What would be lost with a run that is removed. */
    public static final RequestChannel<FindUnsavedWork, UnsavedWork> FIND_UNSAVED_WORK =
            new RequestChannel<>("loopkeeper.worktrees.find-unsaved-work", FindUnsavedWork.class, UnsavedWork.class);
    /** Forget the worktrees of a run that is removed. */
    public static final RequestChannel<PruneRun, RunPruned> PRUNE =
            new RequestChannel<>("loopkeeper.worktrees.prune", PruneRun.class, RunPruned.class);

    private WorktreeChannels() {}
}
