package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.view.RunOutline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds runs whose projection is not that of their newest event. A projection is written only after its events are
 * durable. So where it is ahead of the store, the store has lost events: its log was truncated or removed while no process
 * ran. The state is not restored from the projection. Where it is behind, the runtime was killed before it was written.
 */
final class LostEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LostEvents.class);

    private static final int NEWEST = 100;

    private final Vertx vertx;
    private final EventStore store;
    private final Path data;

    LostEvents(Vertx vertx, EventStore store, Path data) {
        this.vertx = vertx;
        this.store = store;
        this.data = data;
    }

    /**
     * Runs whose projection and events differ.
     *
     * @param lost how many have lost events, which are logged
     * @param behind ids of those whose projection is older than their events, or absent
     */
    record Compared(long lost, List<String> behind) {}

    /** Returns those of these runs that have a folder here; another node may have executed the others. */
    Future<List<RunRow>> withFolder(List<RunRow> runs) {
        return vertx.executeBlocking(
                () -> runs.stream()
                        .filter(run -> Files.isDirectory(RunPaths.run(data, run.runId())))
                        .toList(),
                false);
    }

    /** Compares the projections of these runs with their rows in the store. */
    Future<Compared> compare(List<RunRow> runs) {
        return vertx.executeBlocking(
                () -> {
                    List<String> behind = new ArrayList<>();
                    long lost = runs.stream().filter(run -> lost(run, behind)).count();
                    return new Compared(lost, behind);
                },
                false);
    }

    /**
     * Counts and logs runs that have a folder but are unknown to the store. Checks the newest folders only: a truncated
     * log held the newest events.
     *
     * @param known ids of runs in the store
     */
    Future<Long> unknown(Set<String> known) {
        return vertx.executeBlocking(this::newestProjected, false)
                .compose(runIds -> Future.join(runIds.stream()
                        .filter(runId -> !known.contains(runId))
                        .map(this::unknown)
                        .toList()))
                .map(all -> all.<Boolean>list().stream()
                        .filter(Boolean::booleanValue)
                        .count())
                .otherwise(0L);
    }

    private Future<Boolean> unknown(String runId) {
        return store.find(runId).map(Optional::isEmpty).otherwise(false).onSuccess(unknown -> {
            if (unknown) {
                LOG.error(
                        "run {}: {} has a folder of this run, but the event store does not have the run: all its events are lost."
                                + " Stop Loopkeeper and restore events.db with its -wal file from a backup.",
                        runId,
                        RunPaths.runs(data));
            }
        });
    }

    private List<String> newestProjected() throws IOException {
        Path runs = RunPaths.runs(data);
        if (!Files.isDirectory(runs)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(runs)) {
            return folders.map(Projected::of)
                    .filter(run -> run.changedMillis() > 0 && !run.runId().startsWith("."))
                    .sorted(Comparator.comparing(Projected::changedMillis).reversed())
                    .limit(NEWEST)
                    .map(Projected::runId)
                    .toList();
        }
    }

    /** @param changedMillis 0 without a projection */
    private record Projected(String runId, long changedMillis) {
        static Projected of(Path folder) {
            return new Projected(
                    folder.getFileName().toString(),
                    folder.resolve(CheckpointFile.NAME).toFile().lastModified());
        }
    }

    private boolean lost(RunRow run, List<String> behind) {
        Path file = RunPaths.run(data, run.runId()).resolve(CheckpointFile.NAME);
        long projected = sequence(file);
        Optional<Long> known = run.outline().map(RunOutline::sequence);
        known.filter(stored -> projected < stored).ifPresent(older -> behind.add(run.runId()));
        if (known.filter(stored -> projected > stored).isEmpty()) {
            return false;
        }
        LOG.error(
                "run {}: {} is at event {}, but the event store in {} only at {}: the last events are lost. Stop Loopkeeper and"
                        + " restore events.db with its -wal file from a backup, or check what its agents did before"
                        + " the run continues.",
                run.runId(),
                file,
                projected,
                data,
                known.get());
        return true;
    }

    /** Returns 0 for an absent or unreadable file, which proves nothing about the store. */
    private static long sequence(Path file) {
        try {
            return Files.exists(file) ? firstSequence(file) : 0;
        } catch (IOException unreadable) {
            LOG.warn(
                    "{} cannot be read, so lost events of this run cannot be detected: {}",
                    file,
                    unreadable.toString());
            return 0;
        }
    }

    /** Stops reading at the sequence: there may be thousands of files. */
    private static long firstSequence(Path file) throws IOException {
        try (JsonParser parser = Json.MAPPER.createParser(file.toFile())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return 0;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("sequence")) {
                    return parser.getValueAsLong();
                }
                parser.skipChildren();
            }
            return 0;
        }
    }
}
