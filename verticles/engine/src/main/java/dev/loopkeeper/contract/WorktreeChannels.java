package dev.loopkeeper.contract;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.manifest.WorktreeSetup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Event-bus channels of worktrees, {@code loopkeeper.worktrees.<command>}, each with its request and answer. Each command
 * is safe to repeat, also after a kill at any moment, since it finds its earlier effects. Commands of one repository are
 * executed one at a time. Each fails with {@link WorktreeException}. The handlers are in {@code worktree}; when to commit,
 * reset or merge is decided in {@code rules}.
 */
public final class WorktreeChannels {
    /**
     * A worktree of a run.
     *
     * @param repository top level of the person's checkout, see {@link CheckedWorkspace#repository()}
     * @param folder relative to the run's folder: {@code worktree} for the run, e.g. {@code worktrees/f1.2} for an item's
     *     second attempt
     * @param branch without {@code refs/heads/}; an item's branch must not be below the run's (git permits no {@code a/b}
     *     beside a branch {@code a}), e.g. {@code loopkeeper/items/<runId>/f1.2}
     */
    public record WorktreeLocation(String runId, Path repository, String folder, String branch) {}

    public static final RequestChannel<PrepareWorktree, PreparedWorktree> PREPARE =
            new RequestChannel<>("loopkeeper.worktrees.prepare", PrepareWorktree.class, PreparedWorktree.class);

    /**
     * Command: ensure that this worktree exists on its branch. A complete one stays as it is, with its changes; an
     * incomplete or removed one is created from its branch. Fails if the branch exists but is not the run's, or if the
     * repository has moved.
     *
     * @param base full hash of the start of the branch
     * @param head newest recorded commit, full hash, from which a removed worktree is created again
     * @param prefix of the workspace in the repository, see {@link CheckedWorkspace#prefix()}
     * @param copy ignored paths relative to the workspace that agents need, e.g. {@code node_modules}; copied from the
     *     person's checkout if they exist when the worktree is created
     * @param begins whether a step begins there; what the repository's worktrees share is compared at its end
     */
    public record PrepareWorktree(
            WorktreeLocation location, String base, String head, String prefix, List<String> copy, boolean begins) {
        public PrepareWorktree {
            copy = List.copyOf(copy);
        }
    }

    /**
     * Answer: the worktree exists.
     *
     * @param worktree its top level
     * @param workspace where agents work in it
     * @param head commit of its branch, full hash
     * @param made whether it was created
     */
    public record PreparedWorktree(Path worktree, Path workspace, String head, boolean made) {}

    public static final RequestChannel<SetUpWorktree, SetUpWorktree> SET_UP =
            new RequestChannel<>("loopkeeper.worktrees.set-up", SetUpWorktree.class, SetUpWorktree.class);

    /**
     * Command: run the setup of a prepared worktree unless it has succeeded there. Does not delay other worktrees of the
     * repository.
     *
     * @param prefix of the workspace in the repository
     * @param env of the manifest
     * @param sandbox words before the command
     */
    public record SetUpWorktree(
            WorktreeLocation location,
            String prefix,
            WorktreeSetup setup,
            Map<String, String> env,
            List<String> sandbox) {
        public SetUpWorktree {
            env = Map.copyOf(env);
        }
    }

    /** Ends the preparation of a worktree for a step that is to stop; executed at once. */
    public static final RequestChannel<EndPreparation, EndPreparation> END_PREPARATION =
            new RequestChannel<>("loopkeeper.worktrees.end-preparation", EndPreparation.class, EndPreparation.class);

    /**
     * Command: end the processes that prepare this worktree or set it up, and cancel a waiting preparation. Its command fails with
     * {@link WorktreeException.Problem#PREPARATION_ENDED}; later commands are not affected.
     */
    public record EndPreparation(WorktreeLocation location) {}

    public static final RequestChannel<CommitStep, StepCommitted> COMMIT =
            new RequestChannel<>("loopkeeper.worktrees.commit", CommitStep.class, StepCommitted.class);

    /**
     * Command: commit all changes in this worktree to its branch, except {@code .loopkeeper/} and ignored files. Without
     * changes there is no commit. A commit made before for the same step and attempt is reused; later changes stay
     * uncommitted then.
     *
     * @param from recorded head, full hash, from which changes are counted; they include the agent's own commits
     * @param base start of the branch, full hash, for the total
     * @param hooks whether the repository's hooks run
     * @param protect globs of files that stay tracked while they exist, although git may ignore them now
     */
    public record CommitStep(
            WorktreeLocation location,
            String from,
            String base,
            CommitMessage message,
            boolean hooks,
            List<String> protect) {
        public CommitStep {
            protect = List.copyOf(protect);
        }

        /** Without protected files. */
        public CommitStep(WorktreeLocation location, String from, String base, CommitMessage message, boolean hooks) {
            this(location, from, base, message, hooks, List.of());
        }
    }

    /**
     * What the message of a step's commit says; the commit is found again by its step and attempt.
     *
     * @param subject first line; blank without a commit: only what the repository's worktrees share is compared
     * @param stepId or the name of another unit, e.g. an iteration
     * @param attempt distinguishes commands of the same step, e.g. the step's nonce; blank for none
     * @param verdict of the step, a word for people
     */
    public record CommitMessage(String subject, String stepId, String attempt, String verdict) {}

    /**
     * Answer: the durable state in git.
     *
     * @param commit head of the branch, full hash; empty if nothing changed since {@link CommitStep#from()}
     * @param head of the branch, always
     * @param tree hash of the head's content, equal for equal contents; blank where nothing was to be committed
     * @param changes from {@link CommitStep#from()} to the head
     * @param total from {@link CommitStep#base()} to the head
     * @param warnings for people, e.g. that files of a nested repository are not committed
     */
    public record StepCommitted(
            Optional<String> commit, String head, String tree, Changes changes, Changes total, List<String> warnings) {
        public StepCommitted {
            warnings = List.copyOf(warnings);
        }
    }

    /** Ends hooks of a run that is to stop; executed at once. */
    public static final RequestChannel<EndHooks, EndHooks> END_HOOKS =
            new RequestChannel<>("loopkeeper.worktrees.end-hooks", EndHooks.class, EndHooks.class);

    /**
     * Command: end the git processes that commit this step, with their descendants. A commit without hooks may take three
     * seconds. Ended commands fail with {@link WorktreeException.Problem#HOOK_ENDED}; later commands are not affected.
     */
    public record EndHooks(String runId, String stepId) {
        /** In place of a step: merges, resets and removals of worktrees. */
        public static final String OF_RUN = "git";
    }

    public static final RequestChannel<ResetWorktree, WorktreeReset> RESET =
            new RequestChannel<>("loopkeeper.worktrees.reset", ResetWorktree.class, WorktreeReset.class);

    /**
     * Command: reset this worktree and its branch to a commit. Undone commits and uncommitted changes stay reachable as
     * {@code refs/loopkeeper/<runId>/undone/<keepAs>}. Untracked files are removed, except {@code .loopkeeper/} and ignored
     * files (build outputs, packages).
     *
     * @param to full hash, where the iteration began
     * @param keepAs part of a ref name, e.g. {@code build.3.1}; unique for each reset
     */
    public record ResetWorktree(WorktreeLocation location, String to, String keepAs) {}

    /**
     * Answer: the worktree was reset.
     *
     * @param head equal to {@link ResetWorktree#to()}
     * @param tree hash of the head's content
     * @param kept ref of what was undone; empty if there was nothing
     */
    public record WorktreeReset(String head, String tree, Optional<String> kept) {}

    public static final RequestChannel<MergeItem, ItemMerged> MERGE_ITEM =
            new RequestChannel<>("loopkeeper.worktrees.merge-item", MergeItem.class, ItemMerged.class);

    /**
     * Command: merge the branch of an approved item into the run's branch, with uncommitted changes of its attempt. On a
     * conflict neither branch nor worktree changes.
     *
     * @param location of the run
     * @param base start of the run's branch, full hash, for the total
     * @param from worktree of the attempt
     * @param item its id
     * @param attempt the approved one, from 1
     * @param hooks whether the repository's hooks run
     */
    public record MergeItem(
            WorktreeLocation location, String base, WorktreeLocation from, String item, int attempt, boolean hooks) {}

    /**
     * Answer: the result of a merge.
     *
     * @param commit full hash of the merge, also if an earlier command made it; empty on a conflict, and if the item
     *     changed nothing
     * @param conflicts conflicting files as git prints names; empty after a merge
     * @param head of the run's branch
     * @param tree hash of the head's content
     * @param changes that the merge added to the run's branch
     * @param total from {@link MergeItem#base()} to the head
     */
    public record ItemMerged(
            Optional<String> commit, List<String> conflicts, String head, String tree, Changes changes, Changes total) {
        public ItemMerged {
            conflicts = List.copyOf(conflicts);
        }
    }

    public static final RequestChannel<FinishWorktree, WorktreeFinished> FINISH =
            new RequestChannel<>("loopkeeper.worktrees.finish", FinishWorktree.class, WorktreeFinished.class);

    /**
     * Command: remove a worktree that is no longer needed, unless it is to be kept or its removal would lose work, which
     * the answer describes.
     *
     * @param keep as in the manifest
     * @param archive whether to remove its branch too, as that of an item: its commits stay reachable as
     *     {@code refs/loopkeeper/<runId>/branches/<branch>}, with uncommitted changes in another commit
     */
    public record FinishWorktree(WorktreeLocation location, boolean keep, boolean archive) {}

    /**
     * Answer: the result of a removal.
     *
     * @param reason why the worktree stays, one line; empty if it is gone
     * @param kept ref of an archived branch's commits
     */
    public record WorktreeFinished(Optional<String> reason, Optional<String> kept) {}

    public static final RequestChannel<FindUnsavedWork, UnsavedWork> FIND_UNSAVED_WORK =
            new RequestChannel<>("loopkeeper.worktrees.find-unsaved-work", FindUnsavedWork.class, UnsavedWork.class);

    /**
     * Request: the work that would be lost if an ended run were removed. Answered by {@link UnsavedWork}; changes nothing.
     *
     * @param origin a folder in the run's repository, and the run's first commit; absent if its record has none
     */
    public record FindUnsavedWork(String runId, Optional<CheckWorkspace> origin) {}

    /**
     * Answer: work that exists only in the worktrees of a run.
     *
     * @param findings one line each, with the path and how to save the work; empty if nothing would be lost
     */
    public record UnsavedWork(List<String> findings) {}

    public static final RequestChannel<PruneRun, PruneRun> PRUNE =
            new RequestChannel<>("loopkeeper.worktrees.prune", PruneRun.class, PruneRun.class);

    /**
     * Command: remove the worktrees of a removed run, with their registration and all refs below
     * {@code refs/loopkeeper/<runId>/}; its branch stays. A missing repository is not a failure.
     */
    public record PruneRun(String runId, Path repository) {}

    private WorktreeChannels() {}
}
