package dev.loopkeeper.retention;

import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs that are old enough to be removed.
 *
 * @param removable those with which nothing would be lost
 * @param keptBack the others
 */
record ChosenRuns(List<RunRow> removable, List<PrunedRuns.KeptBack> keptBack) {
    /** One after the other: each costs some calls of git. */
    static Future<ChosenRuns> among(List<RunRow> rows, UnsavedRunWork unsaved) {
        ChosenRuns chosen = new ChosenRuns(new ArrayList<>(), new ArrayList<>());
        Future<Void> all = Future.succeededFuture();
        for (RunRow row : rows) {
            all = all.compose(next -> unsaved.in(row).map(reasons -> {
                if (reasons.isEmpty()) {
                    chosen.removable.add(row);
                } else {
                    chosen.keptBack.add(new PrunedRuns.KeptBack(row.runId(), reasons));
                }
                return null;
            }));
        }
        return all.map(chosen);
    }

    PrunedRuns answer(boolean dryRun, List<RunRow> rows) {
        return PrunedRuns.of(dryRun, rows, keptBack);
    }
}
