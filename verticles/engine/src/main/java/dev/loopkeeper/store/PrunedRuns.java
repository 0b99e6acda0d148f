package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import java.util.List;

/**
 * Answer: which ended runs are removed, or would be.
 *
 * @param dryRun whether nothing was removed
 * @param runs oldest first
 * @param keptBack runs that are old enough to go, and stay since work in them exists nowhere else
 */
public record PrunedRuns(boolean dryRun, List<PrunedRun> runs, List<KeptBack> keptBack) {
    /** These are removed, or would be. */
    public static PrunedRuns of(boolean dryRun, List<RunRow> rows, List<KeptBack> keptBack) {
        return new PrunedRuns(dryRun, rows.stream().map(PrunedRun::of).toList(), keptBack);
    }

    /**
     * One that stays.
     *
     * @param reasons one line each, with the path and how to keep the work
     */
    public record KeptBack(String runId, List<String> reasons) {}

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
