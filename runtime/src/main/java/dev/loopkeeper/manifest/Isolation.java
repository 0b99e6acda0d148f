package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Map;

/**
 * Gives a run its own worktree, written {@code isolation: {git: worktree}}.
 *
 * @param base revision that the run begins from, e.g. {@code HEAD}; resolved when the run is created
 * @param branch of the run, a template with the names {@code runId} and {@code name}
 * @param commit when changes become a commit
 * @param hooks whether the repository's own hooks run
 * @param keep whether the worktree stays when the run has completed
 * @param copy paths relative to the workspace, ignored by git, that Loopkeeper copies into each worktree
 */
public record Isolation(
        String base, String branch, CommitEvery commit, boolean hooks, boolean keep, List<String> copy) {
    /** The meaning of {@code git: worktree} alone. */
    public static final Isolation DEFAULTS =
            new Isolation("HEAD", "loopkeeper/{{runId}}", CommitEvery.STEP, false, false, List.of());

    public Isolation {
        copy = List.copyOf(copy);
    }

    /** The branch of this run, without {@code refs/heads/}. */
    public String branchOf(String runId, String name) {
        return new PromptTemplate(branch).render(Map.of("runId", runId, "name", name));
    }
}
