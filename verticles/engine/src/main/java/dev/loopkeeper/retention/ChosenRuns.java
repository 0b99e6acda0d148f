package dev.loopkeeper.retention;

import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.PrunedRuns;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs that are old enough to be removed.
 *
 * @param removable those with which nothing would be lost
 * @param keptBack the others
 * @param nextCursor where the next page of runs begins; absent at the end
 */
record ChosenRuns(List<RunRow> removable, List<PrunedRuns.KeptBack> keptBack, Optional<String> nextCursor) {
    /** One after the other: each costs some calls of git. */
    static Future<ChosenRuns> among(RunPage page, UnsavedRunWork unsaved) {
        ChosenRuns chosen = new ChosenRuns(new ArrayList<>(), new ArrayList<>(), page.nextCursor());
        Future<Void> all = Future.succeededFuture();
        for (RunRow row : page.runs()) {
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
        return PrunedRuns.of(dryRun, rows, keptBack, nextCursor);
    }
}
