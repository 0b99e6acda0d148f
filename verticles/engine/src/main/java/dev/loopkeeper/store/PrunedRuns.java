package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import java.util.List;

/**
 * Answer: which ended runs are removed, or would be.
 *
 * @param dryRun whether nothing was removed
 * @param runs oldest first
 */
public record PrunedRuns(boolean dryRun, List<PrunedRun> runs) {
    /** These are removed, or would be. */
    public static PrunedRuns of(boolean dryRun, List<RunRow> rows) {
        return new PrunedRuns(dryRun, rows.stream().map(PrunedRun::of).toList());
    }

    /**
     * One of them.
     *
     * @param endedAt as in the run object; empty where that is damaged
     */
    public record PrunedRun(String runId, String name, String status, String endedAt) {
        static PrunedRun of(RunRow row) {
            return new PrunedRun(
                    row.runId(),
                    row.name(),
                    row.status(),
                    row.run().flatMap(Run::endedAt).map(Json::time).orElse(""));
        }
    }
}
