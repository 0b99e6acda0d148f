package dev.loopkeeper.contract.worktree;

import java.util.List;

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
 */
public record PrepareWorktree(WorktreePlace place, String base, String head, String prefix, List<String> copy) {
    public PrepareWorktree {
        copy = List.copyOf(copy);
    }
}
