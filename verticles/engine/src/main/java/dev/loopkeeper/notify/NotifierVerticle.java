package dev.loopkeeper.notify;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets {@link Notifier} hear the durable events. Deploy one instance, after the event store and before the
 * scheduler, so that it hears everything and outlives whoever makes events.
 */
public final class NotifierVerticle extends VerticleBase {
    private static final int WORKERS = 2;

    private final EventStore store;
    private final NotifierOptions options;
    private final Map<String, String> environment;
    private Notifier notifier;
    private WorkerExecutor workers;

    /**
     * Delivers as the options say what this store has.
     *
     * @param environment variables that hold the secrets of webhooks
     */
    public NotifierVerticle(EventStore store, NotifierOptions options, Map<String, String> environment) {
        this.store = store;
        this.options = options;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        workers = Workers.of(vertx, "loopkeeper-notify", WORKERS);
        notifier = new Notifier(
                vertx,
                options,
                store,
                new Webhook(vertx, environment, options.timeout()),
                new NotifyCommand(vertx, workers, options.data(), options.commandLimit()));
        return state().compose(state -> StoreChannels.EVENTS
                        .listen(vertx.eventBus(), notifier::hear)
                        .completion()
                        .map(state))
                .onSuccess(notifier::begin);
    }

    private Future<OutboxState> state() {
        OutboxFile file = new OutboxFile(options.data());
        return store.outbox()
                .compose(known -> known.isPresent() ? Future.succeededFuture() : beginWith(file))
                // Only what is in the store counts from now on, also after a crash in between.
                .compose(begun -> workers.executeBlocking(file::remove, false))
                .compose(removed -> store.outbox())
                .map(Optional::orElseThrow);
    }

    /** What happened before there was a notifier concerns nobody. */
    private Future<Void> beginWith(OutboxFile file) {
        return workers.executeBlocking(file::read, false)
                .compose(kept -> kept.map(Future::succeededFuture)
                        .orElseGet(() -> store.lastPosition().map(newest -> new OutboxState(newest, List.of()))))
                .compose(store::beginOutbox);
    }

    @Override
    public Future<?> stop() {
        return notifier.end().eventually(workers::close);
    }
}
