package dev.loopkeeper.retention;

import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs that are old enough to be removed.
 *
 * @param removable those with which nothing would be lost
 * @param keptBack the others
 * @param nextCursor where the next page of runs begins; absent at the end
 */
record ChosenRuns(List<RunRow> removable, List<PrunedRuns.KeptBack> keptBack, Optional<String> nextCursor) {
    /** One after the other: each costs some calls of git. {@code check} returns why a run stays, if it does. */
    static Future<ChosenRuns> among(RunPage page, Function<RunRow, Future<Optional<PrunedRuns.KeptBack>>> check) {
        ChosenRuns chosen = new ChosenRuns(new ArrayList<>(), new ArrayList<>(), page.nextCursor());
        return InOrder.each(
                        page.runs(),
                        row -> check.apply(row)
                                .onSuccess(kept ->
                                        kept.ifPresentOrElse(chosen.keptBack::add, () -> chosen.removable.add(row))))
                .map(chosen);
    }

    PrunedRuns answer(boolean dryRun, List<RunRow> rows) {
        return PrunedRuns.of(dryRun, rows, keptBack, nextCursor);
    }
}
