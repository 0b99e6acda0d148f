package dev.loopkeeper.scheduler;

import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Summarises the folders of steps whose end became durable shortly before the earlier runtime was killed. */
final class PendingSummaries {
    private static final Logger LOG = LoggerFactory.getLogger(PendingSummaries.class);

    private final Vertx vertx;
    private final Path data;
    private final Map<String, Set<String>> pending = new HashMap<>();

    PendingSummaries(Vertx vertx, Path data) {
        this.vertx = vertx;
        this.data = data;
    }

    /** Finds the folders, before a recovered run can begin a step. */
    Future<Void> find(List<RunRow> runs) {
        return vertx.executeBlocking(
                        () -> {
                            Map<String, Set<String>> found = new HashMap<>();
                            runs.forEach(run -> add(found, run));
                            return found;
                        },
                        false)
                .onSuccess(pending::putAll)
                .mapEmpty();
    }

    private void add(Map<String, Set<String>> found, RunRow run) {
        try {
            found.put(run.runId(), new HashSet<>(StepFiles.pending(data, run.runId())));
        } catch (IOException unreadable) {
            stayApart(run.runId(), unreadable);
        }
    }

    /** Excludes the open steps of a run, which are adopted by their small files. */
    void exclude(String runId, Set<String> openSteps) {
        pending.getOrDefault(runId, Set.of()).removeAll(openSteps);
    }

    /** Excludes a run whose open steps are unknown. */
    void exclude(String runId) {
        pending.remove(runId);
    }

    /** Writes the summaries, while the runs continue. */
    void write() {
        vertx.executeBlocking(
                        () -> {
                            pending.forEach(this::write);
                            return null;
                        },
                        false)
                .onFailure(cause -> LOG.debug("files of ended steps were not combined: {}", cause.toString()));
    }

    private void write(String runId, Set<String> steps) {
        for (String step : steps) {
            try {
                // Whether the killed runtime started a second launcher is unknown.
                StepFiles.of(data, runId, step).summarise(false);
            } catch (IOException refused) {
                stayApart(runId, refused);
            }
        }
    }

    /** Files that stay apart take more of the disk, and nothing else. */
    private static void stayApart(String runId, IOException cause) {
        LOG.debug("files of ended steps of run {} were not combined: {}", runId, cause.toString());
    }
}
