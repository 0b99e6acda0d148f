package dev.loopkeeper.workspace;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects changes of workspaces between two calls. Thread-safe. */
public final class Workspaces {
    private static final Logger LOG = LoggerFactory.getLogger(Workspaces.class);

    private final WorkerExecutor workers;
    private final Path data;
    private final WorkspaceDigest digest =
            new WorkspaceDigest(Clock.systemUTC(), WorkspaceDigest.Limits.DEFAULTS, "git");

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
     * Returns a hash of the workspace, see {@link WorkspaceDigest}. Fails if the workspace cannot be read; whether it
     * changed is unknown then.
     */
    public Future<String> digest(Path workspace) {
        return workers.executeBlocking(
                () -> {
                    long start = System.nanoTime();
                    WorkspaceDigest.Taken taken = digest.take(workspace, data);
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
