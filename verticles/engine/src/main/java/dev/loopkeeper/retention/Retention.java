package dev.loopkeeper.retention;

import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RemovedRun;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.PrunedRuns.KeptBack;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes and adds complete runs: their records in the store and their folders. Records the ids, then changes the store
 * in one transaction per run, then the folders; {@link #finish} completes this after a crash. One operation at a
 * time. For the owner of the data folder, used from one context.
 */
public final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final int AT_ONCE = 50;
    /** Runs of one answer. */
    private static final int MOST = 1_000;

    private static final Duration GIT_PATIENCE = Duration.ofMinutes(2);

    private final Vertx vertx;
    private final EventStore store;
    private final RunFolders folders;
    private final UnfinishedRuns unfinished;
    private final Consumer<List<String>> removed;
    private final UnsavedRunWork unsaved;
    private Future<?> last = Future.succeededFuture();

    /**
     * Over this store and its data folder.
     *
     * @param removed receives the runs that were removed from the store, before their folders are removed
     */
    public Retention(Vertx vertx, EventStore store, Path dataFolder, Consumer<List<String>> removed) {
        this.vertx = vertx;
        this.store = store;
        this.folders = new RunFolders(dataFolder);
        this.unfinished = new UnfinishedRuns(dataFolder);
        this.removed = removed;
        this.unsaved = new UnsavedRunWork(vertx);
    }

    /** Completes or undoes removals and imports that a crash interrupted. Idempotent. */
    public Future<Void> finish() {
        return inTurn(this::finishNow);
    }

    /** Removes a page of ended runs, or reports which it would remove. */
    public Future<PrunedRuns> prune(PruneRuns question) {
        return question.dryRun()
                ? choose(question).map(chosen -> chosen.answer(true, chosen.removable()))
                : inTurn(() -> finishNow()
                        .compose(done -> choose(question))
                        .compose(chosen ->
                                remove(chosen.removable(), new ArrayList<>()).map(rows -> chosen.answer(false, rows))));
    }

    private Future<ChosenRuns> choose(PruneRuns question) {
        return store.prunable(question.before(), question.keep(), question.cursor(), MOST)
                .compose(page -> ChosenRuns.among(page, row -> keptBack(row, question.force())));
    }

    /** Why the run stays: another user owns a part of its folder, or work in it exists nowhere else. */
    private Future<Optional<KeptBack>> keptBack(RunRow row, boolean force) {
        return blocking(() -> folders.obstacle(row.runId()))
                .otherwise(cause -> Optional.of(cause.getMessage()))
                .compose(obstacle -> obstacle.isPresent() || force
                        ? Future.succeededFuture(obstacle.map(text -> new KeptBack(row.runId(), false, List.of(text))))
                        : unsaved.in(row)
                                .map(reasons -> Optional.of(new KeptBack(row.runId(), true, reasons))
                                        .filter(kept -> !reasons.isEmpty())));
    }

    /**
     * Removes the folders of runs that others have removed from the store. One that is there again keeps its folder; one
     * whose folder cannot be removed now is tried again by the next call.
     */
    public Future<Void> followOthers() {
        return store.removedByOthers(AT_ONCE)
                .compose(runs -> runs.isEmpty() ? Future.succeededFuture() : inTurn(() -> follow(runs)));
    }

    private Future<Void> follow(List<RemovedRun> runs) {
        List<String> done = new ArrayList<>();
        Future<Void> all = InOrder.each(
                runs,
                run -> settle(UnfinishedRun.of(run))
                        .onSuccess(settled -> done.add(run.runId()))
                        .recover(cause -> {
                            LOG.warn(
                                    "files of removed run {} could not be deleted yet: {}",
                                    run.runId(),
                                    cause.getMessage());
                            return Future.succeededFuture();
                        }));
        return all.compose(over -> {
            if (done.isEmpty()) {
                return Future.succeededFuture();
            }
            removed.accept(done);
            return store.forgotten(done);
        });
    }

    /**
     * Removes the run's folder unless the store has the run, or the folder has work that the other process could not
     * see.
     */
    private Future<Void> settle(UnfinishedRun run) {
        return store.find(run.runId())
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture()
                        : unsaved.in(run).compose(reasons -> reasons.isEmpty() ? clear(run) : keep(run, reasons)));
    }

    private static Future<Void> keep(UnfinishedRun run, List<String> reasons) {
        LOG.warn(
                "run {} was removed on another node; its files on this node are kept, since they hold work that exists nowhere else: {}",
                run.runId(),
                String.join("; ", reasons));
        return Future.succeededFuture();
    }

    private Future<Void> clear(UnfinishedRun run) {
        return forgetWorktrees(run)
                .compose(forgotten -> blocking(() -> {
                    folders.remove(run.runId());
                    return null;
                }));
    }

    /**
     * Adds a run that neither store nor folder has; {@code draft} becomes its folder. All or nothing, also in a crash.
     */
    public Future<Appended> restore(AppendEvents history, List<String> receipts, Path draft) {
        String runId = history.runId();
        return inTurn(() -> settleNoted()
                .compose(done -> blocking(() -> {
                    unfinished.write(List.of(UnfinishedRun.of(runId)));
                    folders.publish(draft, runId);
                    return runId;
                }))
                .compose(placed -> store.restore(history, receipts))
                .eventually(() -> finishNow().otherwiseEmpty()));
    }

    /** Removes runs in parts, so that appends are written in between. */
    private Future<List<RunRow>> remove(List<RunRow> left, List<RunRow> gone) {
        if (left.isEmpty()) {
            return Future.succeededFuture(gone);
        }
        List<RunRow> part = left.subList(0, Math.min(left.size(), AT_ONCE));
        List<UnfinishedRun> noted = part.stream().map(UnfinishedRun::of).toList();
        return this.<Void>blocking(() -> {
                    unfinished.write(noted);
                    return null;
                })
                .compose(written -> deleteAll(part))
                .compose(deleted -> {
                    gone.addAll(deleted);
                    removed.accept(deleted.stream().map(RunRow::runId).toList());
                    return finishNow();
                })
                .compose(done -> remove(left.subList(part.size(), left.size()), gone));
    }

    /** Before its folder goes: git would keep a list of worktrees that are not there. What fails keeps no run. */
    private Future<Void> forgetWorktrees(UnfinishedRun run) {
        return run.git().map(origin -> forgetWorktrees(run.runId(), origin)).orElseGet(Future::succeededFuture);
    }

    private Future<Void> forgetWorktrees(String runId, UnfinishedRun.Origin origin) {
        CheckWorkspace where = new CheckWorkspace(Path.of(origin.workspace()), origin.base());
        return CheckoutChannels.CHECK
                .ask(vertx.eventBus(), where, GIT_PATIENCE)
                .compose(checked -> WorktreeChannels.PRUNE.ask(
                        vertx.eventBus(), new PruneRun(runId, checked.repository()), GIT_PATIENCE))
                .<Void>mapEmpty()
                .recover(cause -> {
                    LOG.warn("worktrees of run {} may remain in {}: {}", runId, origin.workspace(), cause.getMessage());
                    return Future.succeededFuture();
                });
    }

    /** Keeps a run that was resumed since. */
    private Future<List<RunRow>> deleteAll(List<RunRow> rows) {
        List<Future<Boolean>> deletions =
                rows.stream().map(row -> store.delete(row.runId())).toList();
        return Future.join(deletions).map(all -> {
            List<RunRow> deleted = new ArrayList<>();
            for (int index = 0; index < rows.size(); index++) {
                if (deletions.get(index).result()) {
                    deleted.add(rows.get(index));
                }
            }
            return deleted;
        });
    }

    private Future<Void> finishNow() {
        return settleNoted()
                .compose(settled -> blocking(folders::sweep))
                .onSuccess(left -> left.forEach(LOG::warn))
                .mapEmpty();
    }

    private Future<Void> settleNoted() {
        return blocking(unfinished::read)
                .compose(this::settle)
                .compose(left -> blocking(() -> {
                    if (left.isEmpty()) {
                        unfinished.clear();
                    } else {
                        unfinished.write(left);
                    }
                    return null;
                }));
    }

    /** Returns the runs whose state in the store is unknown, or whose folder could not be removed. */
    private Future<List<UnfinishedRun>> settle(List<UnfinishedRun> runs) {
        List<UnfinishedRun> left = new ArrayList<>();
        return InOrder.each(
                        runs,
                        run -> store.find(run.runId())
                                .compose(found -> found.isEmpty() ? clear(run) : Future.succeededFuture())
                                .recover(cause -> {
                                    LOG.warn(
                                            "the removal of run {} is not finished: {}",
                                            run.runId(),
                                            cause.getMessage());
                                    left.add(run);
                                    return Future.succeededFuture();
                                }))
                .map(left);
    }

    private <T> Future<T> inTurn(Supplier<Future<T>> work) {
        Future<T> next = last.transform(over -> work.get());
        last = next;
        return next;
    }

    private <T> Future<T> blocking(Callable<T> work) {
        return vertx.executeBlocking(work, false);
    }
}
