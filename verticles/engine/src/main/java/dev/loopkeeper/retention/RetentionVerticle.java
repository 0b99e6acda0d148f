package dev.loopkeeper.retention;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.RunsRemoved;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts {@link Retention} on the event bus, after it has completed a removal that a crash interrupted. */
public final class RetentionVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionVerticle.class);

    private static final long NO_TIMER = -1;
    private static final Duration LOOK_AT_OTHERS = Duration.ofMinutes(1);

    private final EventStore store;
    private final Path dataFolder;
    private long timer = NO_TIMER;

    /** Works on this store and its data folder, which its process owns. */
    public RetentionVerticle(EventStore store, Path dataFolder) {
        this.store = store;
        this.dataFolder = dataFolder;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        Retention retention = new Retention(
                vertx,
                store,
                dataFolder,
                runIds -> StoreChannels.REMOVED.publish(vertx.eventBus(), new RunsRemoved(runIds)));
        return retention
                .finish()
                .recover(cause -> {
                    // Remains of a removed run only use disk space.
                    LOG.warn("an interrupted removal will be completed by the next prune: {}", cause.getMessage());
                    return Future.succeededFuture();
                })
                .compose(ready -> StoreChannels.PRUNE.serve(vertx.eventBus(), retention::prune))
                .onSuccess(serving -> {
                    followOthers(retention);
                    timer = vertx.setPeriodic(LOOK_AT_OTHERS.toMillis(), due -> followOthers(retention));
                });
    }

    @Override
    public Future<?> stop() {
        vertx.cancelTimer(timer);
        return Future.succeededFuture();
    }

    private static void followOthers(Retention retention) {
        retention
                .followOthers()
                .onFailure(cause -> LOG.debug("removals by other nodes are processed later: {}", cause.getMessage()));
    }
}
