package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answer: a page of the ended runs that were removed, or would be.
 *
 * @param dryRun whether nothing was removed
 * @param runs oldest first
 * @param keptBack old runs that stay
 * @param nextCursor of the next page; absent at the end
 */
public record PrunedRuns(boolean dryRun, List<PrunedRun> runs, List<KeptBack> keptBack, Optional<String> nextCursor) {
    /** The answer if no run is old enough. */
    public static PrunedRuns none(boolean dryRun) {
        return of(dryRun, List.of(), List.of(), Optional.empty());
    }

    /** The answer for these rows. */
    public static PrunedRuns of(
            boolean dryRun, List<RunRow> rows, List<KeptBack> keptBack, Optional<String> nextCursor) {
        return new PrunedRuns(dryRun, rows.stream().map(PrunedRun::of).toList(), keptBack, nextCursor);
    }

    /** Returns this page together with the next one. */
    public PrunedRuns followedBy(PrunedRuns next) {
        return new PrunedRuns(dryRun, joined(runs, next.runs), joined(keptBack, next.keptBack), next.nextCursor);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /**
     * A run that was not removed.
     *
     * @param forcible whether {@code force} removes it; false where another user owns a part of its folder
     * @param reasons one line each, with the path and what to do
     */
    public record KeptBack(String runId, boolean forcible, List<String> reasons) {}

    /**
     * A run that was removed, or would be.
     *
     * @param endedAt as in the run object; empty if that is damaged
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
