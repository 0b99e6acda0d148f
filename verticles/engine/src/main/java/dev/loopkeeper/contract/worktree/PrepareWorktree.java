package dev.loopkeeper.contract.worktree;

import java.util.List;

/**
 * Command: have this worktree, whole and on its branch. One that is there and whole stays as it is, with what changed in
 * it; one that is half made, or that somebody removed, is made anew where its branch is now. Fails when the branch exists
 * and is not the run's, or the repository is not where it was.
 *
 * @param base the commit's full hash where the branch began, or a new one begins
 * @param head the newest commit that is recorded of it, full hash: where it is made anew when somebody removed it
 * @param prefix of the workspace in the repository, see {@link CheckedWorkspace#prefix()}
 * @param copy paths relative to the workspace which git ignores and agents need, e.g. {@code node_modules}; carried over
 *     from the person's checkout when the worktree is made; one that is not there is left out
 */
public record PrepareWorktree(WorktreePlace place, String base, String head, String prefix, List<String> copy) {
    public PrepareWorktree {
        copy = List.copyOf(copy);
    }
}
