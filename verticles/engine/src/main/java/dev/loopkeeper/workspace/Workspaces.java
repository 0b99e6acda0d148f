package dev.loopkeeper.workspace;

import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects changes of workspaces between two calls, and of protected files by a step. Thread-safe. */
public final class Workspaces {
    private static final Logger LOG = LoggerFactory.getLogger(Workspaces.class);

    private final WorkerExecutor workers;
    private final Path data;
    private final WorkspaceDigest digest =
            new WorkspaceDigest(Clock.systemUTC(), WorkspaceDigest.Limits.DEFAULTS, "git");
    private final Protection protection;

    /**
     * Over workspaces of the runs of one data folder.
     *
     * @param workers blocked for as long as a look takes
     */
    public Workspaces(WorkerExecutor workers, Path data) {
        this.workers = workers;
        this.data = data;
        this.protection = new Protection(
                new WorkspaceDigest(Clock.systemUTC(), WorkspaceDigest.Limits.OF_PROTECTED, "git"),
                data,
                Clock.systemUTC());
    }

    /** Remembers the protected files before a step is launched; does nothing for a step without any. */
    public Future<Void> remember(StepSpec step) {
        if (!protects(step)) {
            return Future.succeededFuture();
        }
        return workers.executeBlocking(
                () -> {
                    protection.remember(step);
                    return null;
                },
                false);
    }

    private static boolean protects(StepSpec step) {
        return !step.agentSpec().loss().protect().isEmpty();
    }

    /** Returns the names of the protected files that an ended step changed; in a worktree they are set back. */
    public Future<List<String>> changedBy(StepSpec step) {
        return protects(step)
                ? workers.executeBlocking(() -> protection.changed(step), false)
                : Future.succeededFuture(List.of());
    }

    /**
     * Returns a hash of the workspace, see {@link WorkspaceDigest}. Fails if the workspace cannot be read; whether it
     * changed is unknown then.
     *
     * @param confinement words before git, which executes what the settings of a repository name
     */
    public Future<String> digest(Path workspace, List<String> confinement) {
        return workers.executeBlocking(
                () -> {
                    long start = System.nanoTime();
                    WorkspaceDigest.Taken taken = digest.take(workspace, data, confinement);
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
