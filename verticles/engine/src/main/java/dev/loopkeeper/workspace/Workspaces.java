package dev.loopkeeper.workspace;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whether workspaces changed between two looks. Safe to use from any thread. */
public final class Workspaces {
    private static final Logger LOG = LoggerFactory.getLogger(Workspaces.class);
    private static final Duration READING = Duration.ofSeconds(10);

    private final WorkerExecutor workers;
    private final Path data;
    private final WorkspaceDigest digest = new WorkspaceDigest(Clock.systemUTC(), READING, "git");

    /**
     * Over workspaces of the runs of one data folder.
     *
     * @param workers blocked for as long as a look takes
     */
    public Workspaces(WorkerExecutor workers, Path data) {
        this.workers = workers;
        this.data = data;
    }

    /**
     * A hash of all that counts in the workspace, see {@link WorkspaceDigest}. Fails where the workspace cannot be looked
     * at: whether it changed is not known then.
     *
     * @param memory a folder of the run, made where it is missing, for what is remembered until its next look
     */
    public Future<String> digest(Path workspace, Path memory) {
        return workers.executeBlocking(
                () -> {
                    long start = System.nanoTime();
                    Files.createDirectories(memory);
                    WorkspaceDigest.Taken taken = digest.take(workspace, data, memory);
                    long millis = (System.nanoTime() - start) / 1_000_000;
                    LOG.debug(
                            "{}: {} files, {} read, {} unread, {} ms",
                            workspace,
                            taken.files(),
                            taken.read(),
                            taken.unread(),
                            millis);
                    return taken.hash();
                },
                false);
    }
}
