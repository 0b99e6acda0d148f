package dev.loopkeeper.signal;

import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;

/** Puts {@link SignalWatcher} on the event bus. */
public final class SignalWatcherVerticle extends VerticleBase {
    private static final int WORKERS = 4;

    private final Path data;
    private WorkerExecutor workers;
    private SignalWatcher watcher;

    /** @param data the data folder, absolute */
    public SignalWatcherVerticle(Path data) {
        this.data = data;
    }

    @Override
    public Future<?> start() throws Exception {
        EventBus bus = vertx.eventBus();
        workers = Workers.of(vertx, "loopkeeper-signals", WORKERS);
        watcher = new SignalWatcher(vertx, workers, data, seen -> SignalChannels.SEEN.publish(bus, seen));
        return Future.all(
                SignalChannels.RESOLVE.serve(bus, watcher::resolve),
                SignalChannels.PREPARE.serve(bus, watcher::prepare),
                SignalChannels.WATCH.serve(bus, watcher::watch),
                SignalChannels.READ.serve(bus, watcher::read));
    }

    @Override
    public Future<?> stop() {
        watcher.close();
        return workers.close();
    }
}
