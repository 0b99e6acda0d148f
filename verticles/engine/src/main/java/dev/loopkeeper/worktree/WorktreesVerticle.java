package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.EndPreparation;
import dev.loopkeeper.contract.worktree.PreparationEnded;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts {@link Worktrees} on the event bus. */
public final class WorktreesVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WorktreesVerticle.class);
    private static final int WORKERS = 4;
    /** Of a command, which has several gits of some minutes each. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private static final long LOOK_MILLIS = 15_000;

    private final Worktrees worktrees;
    private WorkerExecutor workers;
    /** Of their own, since a git that compares for long says nothing meanwhile. */
    private WorkerExecutor readers;

    /** @param data the data folder, absolute */
    public WorktreesVerticle(Path data) {
        this(data, new GitProgram("git"));
    }

    WorktreesVerticle(Path data, GitProgram git) {
        this.worktrees = new Worktrees(data, git);
    }

    @Override
    public Future<?> start() {
        EventBus bus = vertx.eventBus();
        workers = Workers.of(vertx, "loopkeeper-worktrees", WORKERS, LONGEST);
        readers = Workers.of(vertx, "loopkeeper-diffs", WORKERS, LONGEST);
        vertx.setPeriodic(
                LOOK_MILLIS,
                any -> workers.executeBlocking(
                                () -> {
                                    worktrees.endSilentReaders();
                                    return null;
                                },
                                false)
                        .onFailure(unseen -> LOG.warn("silent readers of changes are not ended", unseen)));
        Turns turns = new Turns(workers);
        return Future.all(List.of(
                WorktreeChannels.CHECK.serve(
                        bus, asked -> workers.executeBlocking(() -> worktrees.check(asked), false)),
                WorktreeChannels.DIFF.serve(bus, asked -> workers.executeBlocking(() -> worktrees.diff(asked), false)),
                WorktreeChannels.READ_DIFF.serve(
                        bus, asked -> readers.executeBlocking(() -> worktrees.read(asked), false)),
                // All workers may be waiting for hooks.
                WorktreeChannels.END_HOOKS.serve(
                        bus, asked -> readers.executeBlocking(() -> worktrees.end(asked), false)),
                WorktreeChannels.END_PREPARATION.serve(bus, asked -> endPreparation(turns, asked)),
                // Each worktree has an index of its own, and commits in several of them do not meet.
                WorktreeChannels.COMMIT.serve(bus, asked -> turns.take(asked.place(), () -> worktrees.commit(asked))),
                WorktreeChannels.RESET.serve(bus, asked -> turns.take(asked.place(), () -> worktrees.reset(asked))),
                WorktreeChannels.PREPARE.serve(
                        bus,
                        asked -> turns.take(asked.place().repository(), asked.place(), () -> worktrees.prepare(asked))),
                WorktreeChannels.MERGE_ITEM.serve(
                        bus, asked -> turns.take(asked.place().repository(), () -> worktrees.merge(asked))),
                WorktreeChannels.FINISH.serve(
                        bus, asked -> turns.take(asked.place().repository(), () -> worktrees.finish(asked))),
                WorktreeChannels.MERGE_RUN.serve(
                        bus, asked -> turns.take(asked.checkout(), () -> worktrees.merge(asked))),
                WorktreeChannels.FIND_UNSAVED_WORK.serve(
                        bus, asked -> workers.executeBlocking(() -> worktrees.find(asked), false)),
                WorktreeChannels.PRUNE.serve(
                        bus, asked -> turns.take(asked.repository(), () -> worktrees.prune(asked)))));
    }

    /** All workers may be waiting for filters, or for those. */
    private Future<PreparationEnded> endPreparation(Turns turns, EndPreparation asked) {
        int waiting = turns.giveUp(asked.place(), Worktrees.preparationEnded("it waited for its turn"));
        return readers.executeBlocking(() -> worktrees.end(asked), false)
                .map(ended -> new PreparationEnded(ended.ended() + waiting));
    }

    @Override
    public Future<?> stop() {
        return workers.executeBlocking(
                        () -> {
                            worktrees.close();
                            return null;
                        },
                        false)
                .eventually(workers::close)
                .eventually(readers::close);
    }
}
