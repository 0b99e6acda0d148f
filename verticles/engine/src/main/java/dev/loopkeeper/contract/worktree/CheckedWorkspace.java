package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.List;

/**
 * Answer: it can.
 *
 * @param repository the top level of the checkout, links resolved
 * @param prefix where the workspace lies in it, e.g. {@code services/api}; empty for the top level itself
 * @param base the commit's full hash
 * @param notes what a person should know, one line each, e.g. that submodules stay empty in a worktree; mostly none
 */
public record CheckedWorkspace(Path repository, String prefix, String base, List<String> notes) {
    public CheckedWorkspace {
        notes = List.copyOf(notes);
    }
}
