package dev.loopkeeper.data;

import dev.loopkeeper.checkpoint.CheckpointJson;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.work.BoundedMap;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The readable projection {@code <data>/runs/<runId>/checkpoint.json}. A crash leaves the old content or the new, never
 * a part of either. It is never read back. An unreadable or newer file is kept as
 * {@code checkpoint.json.aside-1}.
 */
public final class CheckpointFile {
    /** Name inside the run's folder. */
    public static final String NAME = "checkpoint.json";

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFile.class);
    private static final String ASIDE = NAME + ".aside-";
    private static final int THREADS = 4;
    private static final int REMEMBERED = 10_000;
    private final Path runs;
    private final WorkerExecutor workers;
    /** Runs whose file was checked before this process replaced it for the first time. */
    private final Set<String> seen =
            Collections.synchronizedSet(Collections.newSetFromMap(BoundedMap.byAge(REMEMBERED)));

    /** Writes below {@code <dataFolder>/runs}, on a worker pool of its own. */
    public CheckpointFile(Vertx vertx, Path dataFolder) {
        this.runs = RunPaths.runs(dataFolder);
        this.workers = Workers.of(vertx, "loopkeeper-checkpoint-files", THREADS);
    }

    /**
     * Replaces a run's file; two writes for the same run must not overlap. Fails with {@link DataFolderException} when the
     * disk refuses, with {@link IllegalArgumentException} for a run id that is no file name.
     *
     * @param json makes the content, on a worker
     */
    Future<Void> write(String runId, Supplier<String> json) {
        if (!RunId.isValid(runId)) {
            return Future.failedFuture(new IllegalArgumentException("not a run id: " + runId));
        }
        return workers.executeBlocking(() -> replace(runId, json.get()), false);
    }

    /** Closes the worker pool after pending writes. */
    public Future<Void> close() {
        return workers.close();
    }

    private Void replace(String runId, String json) {
        Path folder = runs.resolve(runId);
        Path file = folder.resolve(NAME);
        try {
            if (Files.notExists(runs.getParent())) {
                throw new NoSuchFileException(runs.getParent().toString(), null, "the data folder was deleted");
            }
            Files.createDirectories(folder);
            if (!seen.contains(runId)) {
                keepForeign(file);
                seen.add(runId);
            }
            AtomicFile.replaceDurably(file, json);
            return null;
        } catch (IOException refused) {
            String message =
                    file + " cannot be written: " + refused + ". Check the rights and the free space of this disk.";
            throw new DataFolderException(message, refused);
        }
    }

    private static void keepForeign(Path file) throws IOException {
        if (!Files.exists(file) || replaceable(file)) {
            return;
        }
        int number = 1;
        while (Files.exists(file.resolveSibling(ASIDE + number))) {
            number++;
        }
        Path aside = file.resolveSibling(ASIDE + number);
        Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        LOG.warn("{} is damaged or of a newer version; it was kept as {}, and a new one is written", file, aside);
    }

    private static boolean replaceable(Path file) {
        try {
            return CheckpointJson.replaceable(Files.readString(file));
        } catch (IOException unreadable) {
            return false;
        }
    }
}
