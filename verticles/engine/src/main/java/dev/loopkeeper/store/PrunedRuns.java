package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answer: which ended runs are removed, or would be. One answer is about a page of the runs that are old enough.
 *
 * @param dryRun whether nothing was removed
 * @param runs oldest first
 * @param keptBack runs that are old enough to go, and stay since work in them exists nowhere else
 * @param nextCursor where the next page begins; absent at the end
 */
public record PrunedRuns(boolean dryRun, List<PrunedRun> runs, List<KeptBack> keptBack, Optional<String> nextCursor) {
    /** No run is old enough. */
    public static PrunedRuns none(boolean dryRun) {
        return of(dryRun, List.of(), List.of(), Optional.empty());
    }

    /** These are removed, or would be. */
    public static PrunedRuns of(
            boolean dryRun, List<RunRow> rows, List<KeptBack> keptBack, Optional<String> nextCursor) {
        return new PrunedRuns(dryRun, rows.stream().map(PrunedRun::of).toList(), keptBack, nextCursor);
    }

    /** This page with the one behind it. */
    public PrunedRuns followedBy(PrunedRuns next) {
        return new PrunedRuns(dryRun, joined(runs, next.runs), joined(keptBack, next.keptBack), next.nextCursor);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
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
