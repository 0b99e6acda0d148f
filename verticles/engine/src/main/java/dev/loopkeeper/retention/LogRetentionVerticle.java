package dev.loopkeeper.retention;

import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.WallTimer;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes old logs of ended runs, at the start and then periodically; never logs of open runs. */
public final class LogRetentionVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(LogRetentionVerticle.class);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final int PAGE = 500;

    private final EventStore store;
    private final LogRetention retention;
    private final Duration keep;
    private WorkerExecutor workers;
    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);

    /**
     * Looks after a data folder.
     *
     * @param keep above zero; how long logs stay after the end of their run
     */
    public LogRetentionVerticle(EventStore store, Path data, Duration keep) {
        if (keep.isZero() || keep.isNegative()) {
            throw new IllegalArgumentException("the retention of logs must be > 0, was " + keep);
        }
        this.store = store;
        this.retention = new LogRetention(data);
        this.keep = keep;
    }

    @Override
    public Future<?> start() {
        workers = Workers.of(vertx, "loopkeeper-retention", 1);
        lookAt(Instants.now());
        return Future.succeededFuture();
    }

    private void lookAt(Instant due) {
        Duration pause = keep.compareTo(LONGEST_PAUSE) < 0 ? keep : LONGEST_PAUSE;
        WallTimer unused = WallTimer.at(vertx, due, () -> {
            looks.join();
            lookAt(Instants.now().plus(pause));
        });
    }

    private Future<Void> look() {
        return page(Optional.empty(), Instant.now().minus(keep))
                .onFailure(cause -> LOG.warn("old logs could not be removed: {}", cause.getMessage()));
    }

    private Future<Void> page(Optional<String> cursor, Instant before) {
        return store.list(new RunQuery(RunStatus.ENDED, PAGE, cursor))
                .compose(page -> workers.executeBlocking(() -> removeAll(page, before)))
                .compose(page ->
                        page.nextCursor().isEmpty() ? Future.succeededFuture() : page(page.nextCursor(), before));
    }

    private RunPage removeAll(RunPage page, Instant before) throws IOException {
        List<RunRow> old =
                page.runs().stream().filter(run -> endedBefore(run, before)).toList();
        for (RunRow run : old) {
            int removed = retention.remove(run.runId(), before);
            if (removed > 0) {
                LOG.info("removed {} logs of run {}, which ended before {}", removed, run.runId(), before);
            }
        }
        return page;
    }

    private static boolean endedBefore(RunRow run, Instant before) {
        return run.run()
                .flatMap(Run::endedAt)
                .filter(endedAt -> endedAt.isBefore(before))
                .isPresent();
    }

    @Override
    public Future<?> stop() {
        return workers.close();
    }
}
