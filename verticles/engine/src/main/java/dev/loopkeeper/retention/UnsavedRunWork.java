package dev.loopkeeper.retention;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeChannels.FindUnsavedWork;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks git what would be lost with a run. */
record UnsavedRunWork(Vertx vertx) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST = 5;

    /** One line each; empty if nothing would be lost. Never fails: a failed check is a finding. */
    Future<List<String>> in(RunRow row) {
        // The record of a damaged run does not say whether it has worktrees.
        return row.view().has("damage") ? ask(row.runId(), Optional.empty()) : in(UnfinishedRun.of(row));
    }

    /** The same of a run that another process removed from the store. */
    Future<List<String>> in(UnfinishedRun run) {
        return run.git()
                .map(git -> new CheckWorkspace(Path.of(git.workspace()), git.base()))
                .map(origin -> ask(run.runId(), Optional.of(origin)))
                .orElseGet(() -> Future.succeededFuture(List.of()));
    }

    private Future<List<String>> ask(String runId, Optional<CheckWorkspace> origin) {
        return WorktreeChannels.FIND_UNSAVED_WORK
                .ask(vertx.eventBus(), new FindUnsavedWork(runId, origin), PATIENCE)
                .map(found -> first(found.findings()))
                .otherwise(cause -> List.of("its worktrees cannot be checked: " + cause.getMessage()));
    }

    private static List<String> first(List<String> findings) {
        if (findings.size() <= MOST) {
            return findings;
        }
        List<String> first = new ArrayList<>(findings.subList(0, MOST));
        first.add("and " + (findings.size() - MOST) + " more");
        return first;
    }
}
