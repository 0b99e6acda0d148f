package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.List;

/**
 * Answer: the run can have a worktree.
 *
 * @param repository top level of the checkout, links resolved
 * @param prefix path of the workspace in it, e.g. {@code services/api}; empty for the top level
 * @param base full hash of the commit
 * @param notes notes for people, one line each, e.g. that submodules stay empty in a worktree; usually none
 */
public record CheckedWorkspace(Path repository, String prefix, String base, List<String> notes) {
    public CheckedWorkspace {
        notes = List.copyOf(notes);
    }
}
