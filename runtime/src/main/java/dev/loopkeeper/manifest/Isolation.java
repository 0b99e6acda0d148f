package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Map;

/**
 * A worktree of its own for a run, written {@code isolation: {git: worktree}}.
 *
 * @param base any name of the commit that the run begins from, e.g. {@code HEAD}; looked up when the run is created
 * @param branch of the run, a template in which {@code runId} and {@code name} are known
 * @param commit when changes become a commit
 * @param hooks whether the repository's own hooks run
 * @param keep whether the worktree stays when the run has completed
 * @param copy paths relative to the workspace, ignored by git, that are carried over into each worktree
 */
public record Isolation(
        String base, String branch, CommitEvery commit, boolean hooks, boolean keep, List<String> copy) {
    /** What a manifest that says no more than {@code git: worktree} means. */
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
