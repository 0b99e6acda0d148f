package dev.loopkeeper.workspace;

import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.ConfineCommand;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects changes of workspaces between two calls, and of protected files by a step. Thread-safe. */
public final class Workspaces {
    private static final Logger LOG = LoggerFactory.getLogger(Workspaces.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Vertx vertx;
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
    public Workspaces(Vertx vertx, WorkerExecutor workers, Path data) {
        this.vertx = vertx;
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
        return confined(step, words -> {
            protection.remember(step, words);
            return null;
        });
    }

    /** Git executes what the settings of repositories name, which an agent in a sandbox may have made. Without a sandbox for it, it is not asked. */
    private <T> Future<T> confined(StepSpec step, Work<T> work) {
        return step.agentSpec()
                .loss()
                .sandbox()
                .map(sandbox -> ProcessChannels.CONFINE
                        .ask(vertx.eventBus(), new ConfineCommand(step, sandbox.reading()), TIMEOUT)
                        .map(confined -> confined.refusal().isPresent() ? List.of("false") : confined.words()))
                .orElseGet(() -> Future.succeededFuture(List.of()))
                .compose(words -> workers.executeBlocking(() -> work.behind(words), false));
    }

    private interface Work<T> {
        T behind(List<String> words) throws IOException;
    }

    private static boolean protects(StepSpec step) {
        return !step.agentSpec().loss().protect().isEmpty();
    }

    /** Adds the protected files that an ended step changed, which in a worktree are set back, and warnings. */
    public Future<StepOutcome> judge(StepSpec step, StepOutcome outcome) {
        return protects(step)
                ? confined(step, words -> protection.changed(step, words))
                        .map(changed -> outcome.rejectedFor(changed.names(), changed.warnings()))
                : Future.succeededFuture(outcome);
    }

    /**
     * Returns a hash of the workspace, see {@link WorkspaceDigest}. Fails if the workspace cannot be read; whether it
     * changed is unknown then.
     */
    public Future<String> digest(StepSpec step) {
        return confined(step, words -> {
            long start = System.nanoTime();
            WorkspaceDigest.Taken taken = digest.take(Path.of(step.workspace()), data, words);
            long millis = (System.nanoTime() - start) / 1_000_000;
            LOG.debug(
                    "{}: {} files, {} read, {} unread, {} ms",
                    step.workspace(),
                    taken.files(),
                    taken.read(),
                    taken.unread(),
                    millis);
            return taken.hash();
        });
    }
}
