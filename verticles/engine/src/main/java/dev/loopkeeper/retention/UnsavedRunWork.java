package dev.loopkeeper.retention;

import dev.loopkeeper.contract.worktree.FindUnsavedWork;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks git what would be lost with a run. */
final class UnsavedRunWork {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST = 5;

    private final Vertx vertx;

    UnsavedRunWork(Vertx vertx) {
        this.vertx = vertx;
    }

    /** One line each; empty where nothing would be lost. Never fails: what is unknown is a reason. */
    Future<List<String>> in(UnfinishedRun run) {
        return run.git().map(origin -> ask(run.runId(), origin)).orElseGet(() -> Future.succeededFuture(List.of()));
    }

    private Future<List<String>> ask(String runId, UnfinishedRun.Origin origin) {
        FindUnsavedWork question = new FindUnsavedWork(runId, Path.of(origin.workspace()), origin.base());
        return WorktreeChannels.FIND_UNSAVED_WORK
                .ask(vertx.eventBus(), question, PATIENCE)
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
