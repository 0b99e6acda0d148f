package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeChannels.EndPreparation;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@link Worktrees} on the event bus. */
public final class WorktreesVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorktreesVerticle.class);
    private static final int WORKERS = 4;
    /** Longest command; it may run several git processes of some minutes each. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private static final long LOOK_MILLIS = 15_000;
    private static final long LOGS_MILLIS = 1_000;

    private final Worktrees worktrees;
    private final long lookMillis;
    private long looks;
    private long logs;
    private WorkerExecutor workers;
    /** Separate workers, since a git that compares for long blocks its thread. */
    private WorkerExecutor readers;
    /** Separate workers, since a setup may take long. */
    private WorkerExecutor setups;

    /** @param data the data folder, absolute */
    public WorktreesVerticle(Path data) {
        this(data, new GitProgram("git"), LOOK_MILLIS);
    }

    /** @param lookMillis how often idle readers of diffs are closed */
    WorktreesVerticle(Path data, GitProgram git, long lookMillis) {
        this.lookMillis = lookMillis;
        this.worktrees = new Worktrees(data, git);
    }

    @Override
    public Future<?> start() {
        EventBus bus = vertx.eventBus();
        workers = Workers.of(vertx, "loopkeeper-worktrees", WORKERS, LONGEST);
        readers = Workers.of(vertx, "loopkeeper-diffs", WORKERS, LONGEST);
        setups = Workers.of(vertx, "loopkeeper-setups", WORKERS, LONGEST);
        looks = every(lookMillis, workers, worktrees::endSilentReaders, "idle readers of diffs could not be closed");
        logs = every(LOGS_MILLIS, readers, worktrees::holdLogs, "logs of setups could not be limited");
        SerialTasks tasks = new SerialTasks(workers);
        SerialTasks slow = new SerialTasks(setups);
        return Future.all(List.of(
                CheckoutChannels.CHECK.serve(
                        bus, asked -> workers.executeBlocking(() -> worktrees.check(asked), false)),
                CheckoutChannels.DIFF.serve(bus, asked -> workers.executeBlocking(() -> worktrees.diff(asked), false)),
                CheckoutChannels.READ_DIFF.serve(
                        bus, asked -> readers.executeBlocking(() -> worktrees.read(asked), false)),
                // Not on the workers, which may all wait for hooks.
                WorktreeChannels.END_HOOKS.serve(
                        bus,
                        asked -> readers.executeBlocking(() -> worktrees.end(asked), false)
                                .map(asked)),
                WorktreeChannels.END_PREPARATION.serve(bus, asked -> endPreparation(List.of(tasks, slow), asked)),
                WorktreeChannels.SET_UP.serve(bus, asked -> slow.take(asked.location(), () -> worktrees.setUp(asked))),
                // Each worktree has its own index, so commits in several of them do not interfere.
                WorktreeChannels.COMMIT.serve(
                        bus, asked -> tasks.take(asked.location(), () -> worktrees.commit(asked))),
                WorktreeChannels.RESET.serve(bus, asked -> tasks.take(asked.location(), () -> worktrees.reset(asked))),
                WorktreeChannels.PREPARE.serve(
                        bus,
                        asked -> tasks.take(
                                asked.location().repository(), asked.location(), () -> worktrees.prepare(asked))),
                WorktreeChannels.MERGE_ITEM.serve(
                        bus, asked -> tasks.take(asked.location().repository(), () -> worktrees.merge(asked))),
                WorktreeChannels.FINISH.serve(
                        bus, asked -> tasks.take(asked.location().repository(), () -> worktrees.finish(asked))),
                CheckoutChannels.MERGE_RUN.serve(
                        bus, asked -> tasks.take(asked.checkout(), () -> worktrees.merge(asked))),
                WorktreeChannels.FIND_UNSAVED_WORK.serve(
                        bus, asked -> workers.executeBlocking(() -> worktrees.find(asked), false)),
                WorktreeChannels.PRUNE.serve(
                        bus, asked -> tasks.take(asked.repository(), () -> worktrees.prune(asked)))));
    }

    private long every(long millis, WorkerExecutor executor, Runnable work, String failed) {
        return vertx.setPeriodic(
                millis,
                any -> executor.executeBlocking(Executors.callable(work), false)
                        .onFailure(cause -> LOG.warn(failed, cause)));
    }

    /** Ends a preparation without the workers, which may all wait for filters or hooks. */
    private Future<EndPreparation> endPreparation(List<SerialTasks> all, EndPreparation asked) {
        all.forEach(
                tasks -> tasks.giveUp(asked.location(), Worktrees.preparationEnded("its preparation had not begun")));
        return readers.executeBlocking(() -> worktrees.end(asked), false).map(asked);
    }

    @Override
    public Future<?> stop() {
        // Vert.x cancels it only after this method, when the workers already refuse work.
        vertx.cancelTimer(looks);
        vertx.cancelTimer(logs);
        return workers.executeBlocking(Executors.callable(worktrees::close), false)
                .eventually(workers::close)
                .eventually(readers::close)
                .eventually(setups::close);
    }
}
