package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a run its own worktree, written {@code isolation: {git: worktree}}.
 *
 * @param base revision that the run begins from, e.g. {@code HEAD}; resolved when the run is created
 * @param branch of the run, a template with the names {@code runId} and {@code name}
 * @param commit when changes become a commit
 * @param hooks whether the repository's own hooks run
 * @param keep whether the worktree stays when the run has completed
 * @param copy paths relative to the workspace, ignored by git, that Loopkeeper copies into each worktree
 * @param setup run in each new worktree before its first step
 */
public record Isolation(
        String base,
        String branch,
        CommitEvery commit,
        boolean hooks,
        boolean keep,
        List<String> copy,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WorktreeSetup> setup) {
    /** The meaning of {@code git: worktree} alone. */
    public static final Isolation DEFAULTS =
            new Isolation("HEAD", "loopkeeper/{{runId}}", CommitEvery.STEP, false, false, List.of(), Optional.empty());

    public Isolation {
        copy = List.copyOf(copy);
    }

    /** The branch of this run, without {@code refs/heads/}. */
    public String branchOf(String runId, String name) {
        return new PromptTemplate(branch).render(Map.of("runId", runId, "name", name));
    }
}
