package dev.loopkeeper.store;

import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The readable projection {@code <data>/runs/<runId>/checkpoint.json}. A crash leaves the old content or the new, never
 * a part of either. It is never read back.
 */
public final class CheckpointFile {
    /** Name inside the run's folder. */
    public static final String NAME = "checkpoint.json";

    private static final String DRAFT = "." + NAME + ".new";
    private static final int THREADS = 4;
    private static final Pattern FOLDER_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");

    private final Path runs;
    private final WorkerExecutor workers;

    /** Writes below {@code <dataFolder>/runs}, on a worker pool of its own. */
    public CheckpointFile(Vertx vertx, Path dataFolder) {
        this.runs = dataFolder.resolve("runs");
        this.workers = Workers.of(vertx, "loopkeeper-checkpoint-files", THREADS);
    }

    /**
     * Replaces a run's file; two writes for the same run must not overlap. Fails with {@link StoreException} when the
     * disk refuses, with {@link IllegalArgumentException} for a run id that is no file name.
     */
    public Future<Void> write(String runId, String json) {
        if (!FOLDER_NAME.matcher(runId).matches()) {
            return Future.failedFuture(new IllegalArgumentException("not a run id: " + runId));
        }
        return workers.executeBlocking(() -> replace(runs.resolve(runId), json), false);
    }

    /** Lets go of the worker pool; writes under way are finished. */
    public Future<Void> close() {
        return workers.close();
    }

    private static Void replace(Path folder, String json) {
        Path file = folder.resolve(NAME);
        try {
            Files.createDirectories(folder);
            AtomicFile.replace(file, folder.resolve(DRAFT), json);
            return null;
        } catch (IOException refused) {
            String message = file + " cannot be written: " + refused + ". Check the rights and the room on this disk.";
            throw new StoreException(file, message, refused);
        }
    }
}
