package dev.loopkeeper.notify;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.work.HomeContext;
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
    private final Duties duties;
    /** While this process tells receivers. On the verticle's context, as what follows. */
    private Optional<Notifier> notifier = Optional.empty();

    private WorkerExecutor workers;
    private HomeContext home;

    /**
     * Delivers as the options say what this store has.
     *
     * @param environment variables that hold the secrets of webhooks
     * @param duties tells when this process is the one that delivers
     */
    public NotifierVerticle(EventStore store, NotifierOptions options, Map<String, String> environment, Duties duties) {
        this.store = store;
        this.options = options;
        this.environment = Map.copyOf(environment);
        this.duties = duties;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        home = new HomeContext(context);
        workers = Workers.of(vertx, "loopkeeper-notify", WORKERS);
        return StoreChannels.EVENTS
                .listen(vertx.eventBus(), event -> notifier.ifPresent(telling -> telling.hear(event)))
                .completion()
                .compose(hearing -> duties.offer(Duties.NOTIFICATIONS, new Telling()));
    }

    /** What is told while this process is the one that tells. */
    private final class Telling implements Duties.Duty {
        @Override
        public Future<Void> begin() {
            return home.call(() -> {
                Notifier fresh = new Notifier(
                        vertx,
                        options,
                        store,
                        new Webhook(vertx, environment, options.timeout()),
                        new NotifyCommand(vertx, workers, options.data(), options.commandLimit()));
                notifier = Optional.of(fresh);
                return state().onSuccess(state -> begin(fresh, state))
                        .onFailure(unknown -> dropNow())
                        .mapEmpty();
            });
        }

        /** Unless it was taken from us meanwhile. */
        private void begin(Notifier fresh, OutboxState state) {
            if (notifier.filter(fresh::equals).isPresent()) {
                fresh.begin(state);
            }
        }

        @Override
        public Future<Void> end() {
            return home.call(NotifierVerticle.this::cease);
        }

        @Override
        public void drop() {
            home.run(NotifierVerticle.this::dropNow);
        }
    }

    private void dropNow() {
        notifier.ifPresent(Notifier::drop);
        notifier = Optional.empty();
    }

    private Future<Void> cease() {
        Optional<Notifier> telling = notifier;
        notifier = Optional.empty();
        return telling.map(Notifier::end).orElseGet(Future::succeededFuture);
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
        return cease().eventually(workers::close);
    }
}
