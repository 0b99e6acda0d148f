package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.Json;
import dev.loopkeeper.store.CheckpointFile;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds runs whose projection is ahead of the store. A projection is written only when its events are durable, so the
 * store has lost some: its log was cut off or removed while nobody was there, which leaves no other trace. The state is
 * not restored from the projection.
 */
final class LostEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LostEvents.class);

    private final Vertx vertx;
    private final Path data;

    LostEvents(Vertx vertx, Path data) {
        this.vertx = vertx;
        this.data = data;
    }

    /** How many of these runs, as the store has them, lost events; each is reported. */
    Future<Long> count(List<RunRow> runs) {
        return vertx.executeBlocking(() -> runs.stream().filter(this::lost).count(), false);
    }

    private boolean lost(RunRow run) {
        Path file = data.resolve("runs").resolve(run.runId()).resolve(CheckpointFile.NAME);
        long projected = sequence(file);
        long stored = run.view().path("sequence").asLong(Long.MAX_VALUE);
        if (projected <= stored) {
            return false;
        }
        LOG.error(
                "run {}: {} is at event {}, but the store in {} only at {}: its last events are lost. Stop Loopkeeper and"
                        + " restore events.db with its -wal file from a backup, or look at what its agents did before"
                        + " the run goes on.",
                run.runId(),
                file,
                projected,
                data,
                stored);
        return true;
    }

    /** 0 for a file that is absent or unreadable, which says nothing of the store. */
    private static long sequence(Path file) {
        try {
            return Files.exists(file)
                    ? Json.MAPPER
                            .readTree(Files.readString(file))
                            .path("sequence")
                            .asLong()
                    : 0;
        } catch (IOException unreadable) {
            LOG.warn("{} cannot be read; it is written anew: {}", file, unreadable.toString());
            return 0;
        }
    }
}
