package dev.loopkeeper.control;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.view.RunOutline;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scans for {@link ControlFiles} once a second. Deploy one instance, after the scheduler. */
public final class ControlFilesVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ControlFilesVerticle.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int NEWEST = 200;
    private static final int PAGE = 500;

    private final EventStore store;
    private final Ownership ownership;
    private WorkerExecutor workers;
    private ControlFiles files;
    private Future<Void> scanning = Future.succeededFuture();
    private boolean ending;

    /**
     * @param store lists the runs
     * @param ownership which runs are executed here; files for runs of another node are left to that node
     */
    public ControlFilesVerticle(EventStore store, Ownership ownership) {
        this.store = store;
        this.ownership = ownership;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        workers = Workers.of(vertx, "loopkeeper-control", 1);
        files = new ControlFiles(vertx.eventBus(), workers, ownership::isOwn);
        return Future.all(
                        listen(
                                "run.created",
                                event -> files.watch(
                                        event.runId(),
                                        event.data().path("workspace").asText())),
                        listen("run.ended", event -> files.over(event.runId())),
                        listen("run.resumed", event -> reopened(event.runId())),
                        listen("run.queued", event -> reopened(event.runId())))
                .compose(listening -> store.list(new RunQuery(Set.of(), NEWEST, Optional.empty())))
                .onSuccess(newest -> {
                    List<RunOutline> oldestFirst = new ArrayList<>(newest.outlines());
                    Collections.reverse(oldestFirst);
                    oldestFirst.forEach(run -> run.workspace().ifPresent(files::remember));
                })
                .compose(newest -> watchOpen(Optional.empty()))
                .onSuccess(known -> scan());
    }

    private Future<Void> listen(String type, Consumer<StoredEvent> listener) {
        return StoreChannels.eventsOf(type)
                .listen(vertx.eventBus(), event -> listener.accept(event.event()))
                .completion();
    }

    /** Watches the workspace of a resumed run, which only the store knows. */
    private void reopened(String runId) {
        if (!files.knows(runId)) {
            store.find(runId)
                    .onComplete(
                            found -> found.flatMap(RunRow::outline).ifPresent(this::watch),
                            lost -> LOG.warn(
                                    "the scan for control files of run {} could not start: {}",
                                    runId,
                                    lost.toString()));
        }
    }

    private void watch(RunOutline run) {
        if (run.status().isOpen()) {
            run.workspace().ifPresent(workspace -> files.watch(run.runId(), workspace));
        }
    }

    private Future<Void> watchOpen(Optional<String> cursor) {
        return store.list(new RunQuery(RunStatus.OPEN, PAGE, cursor)).compose(page -> {
            page.outlines().forEach(this::watch);
            return page.nextCursor().isPresent() ? watchOpen(page.nextCursor()) : Future.succeededFuture();
        });
    }

    /** Schedules the next scan after this one, however long this one takes. */
    private void scan() {
        if (ending) {
            return;
        }
        scanning = Future.succeededFuture()
                .compose(begun -> files.scan())
                .onFailure(broken -> LOG.error("the scan for control files failed", broken))
                .onComplete(looked -> vertx.setTimer(EVERY.toMillis(), due -> scan()));
    }

    @Override
    public Future<?> stop() {
        ending = true;
        return scanning.eventually(workers::close);
    }
}
