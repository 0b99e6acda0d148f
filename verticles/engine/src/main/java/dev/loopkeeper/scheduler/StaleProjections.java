package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.view.RunOutline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds runs whose projection is not of their newest event, because the runtime was killed before it wrote the file.
 * Nothing but the sequence of a projection is read, and it decides only whether the file is written again.
 */
record StaleProjections(Vertx vertx, Path data) {
    private static final long UNREADABLE = -1;

    /** Returns those of these runs that have a folder here; another node may have executed the others. */
    Future<List<RunRow>> withFolder(List<RunRow> runs) {
        return vertx.executeBlocking(
                () -> runs.stream()
                        .filter(run -> Files.isDirectory(RunPaths.run(data, run.runId())))
                        .toList(),
                false);
    }

    /** Returns the ids of those of these runs whose projection is stale, absent or unreadable. */
    Future<List<String>> among(List<RunRow> runs) {
        return vertx.executeBlocking(
                () -> runs.stream().filter(this::isStale).map(RunRow::runId).toList(), false);
    }

    private boolean isStale(RunRow run) {
        return run.outline()
                .map(RunOutline::sequence)
                .filter(newest ->
                        newest != sequence(RunPaths.run(data, run.runId()).resolve(CheckpointFile.NAME)))
                .isPresent();
    }

    /** Stops reading at the sequence: there may be thousands of files. */
    private static long sequence(Path file) {
        try (JsonParser parser = Json.MAPPER.createParser(file.toFile())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return UNREADABLE;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("sequence")) {
                    return parser.getValueAsLong();
                }
                parser.skipChildren();
            }
            return UNREADABLE;
        } catch (IOException unreadable) {
            return UNREADABLE;
        }
    }
}
