package dev.loopkeeper.retention;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.store.EventStore.RemovedRun;
import dev.loopkeeper.store.RunRow;
import java.util.Optional;

/**
 * A run that is being removed or added, noted before anything of it is touched: the store forgets where its repository is
 * before git does.
 *
 * @param git where its worktrees came from; absent where it has none
 */
record UnfinishedRun(
        String runId,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Origin> git) {
    /**
     * A commit in a repository.
     *
     * @param workspace a folder in the repository
     */
    record Origin(String workspace, String base) {}

    /** A run without a worktree. */
    static UnfinishedRun of(String runId) {
        return new UnfinishedRun(runId, Optional.empty());
    }

    static UnfinishedRun of(RunRow row) {
        return of(row.runId(), row.view());
    }

    static UnfinishedRun of(RemovedRun run) {
        return of(run.runId(), run.view());
    }

    private static UnfinishedRun of(String runId, JsonNode shown) {
        Optional<Origin> git = Optional.of(shown)
                .filter(view -> view.hasNonNull("git"))
                .map(view -> new Origin(
                        view.path("workspace").asText(), view.at("/git/base").asText()));
        return new UnfinishedRun(runId, git);
    }
}
