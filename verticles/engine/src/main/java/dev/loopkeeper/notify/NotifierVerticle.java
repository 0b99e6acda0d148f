package dev.loopkeeper.notify;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Outbox.OutboxState;
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
 * Runs the {@link Notifier} on durable events. Deploy one instance, after the event store and before the scheduler, so
 * that it receives all events and stops after their producers.
 */
public final class NotifierVerticle extends VerticleBase {
    private static final int WORKERS = 2;

    private final EventStore store;
    private final NotifierOptions options;
    private final Map<String, String> environment;
    private final Duties duties;
    /**
     * Present while this process delivers notifications. Used on the verticle's context only, like the fields below.
     */
    private Optional<Notifier> notifier = Optional.empty();

    private WorkerExecutor workers;
    private Webhook ofFires;
    private FailedFires failures;
    private HomeContext home;

    /**
     * Creates the verticle for the events of this store.
     *
     * @param environment variables that hold the secrets of webhooks
     * @param duties assigns the delivery to one process at a time
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
        ofFires = new Webhook(vertx, environment, options.timeout());
        failures = new FailedFires(vertx, options, store, new Delivery(ofFires, command()));
        return Future.all(
                        StoreChannels.EVENTS
                                .listen(vertx.eventBus(), event -> notifier.ifPresent(active -> active.receive(event)))
                                .completion(),
                        ScheduleChannels.FAILED
                                .listen(vertx.eventBus(), failed -> failures.look())
                                .completion())
                .compose(listening -> duties.offer(Duties.NOTIFICATIONS, new DeliveryDuty()));
    }

    private NotifyCommand command() {
        return new NotifyCommand(vertx, workers, options.data(), options.commandLimit());
    }

    /** Delivers notifications while this process has the duty. */
    private final class DeliveryDuty implements Duties.Duty {
        @Override
        public Future<Void> begin() {
            return home.call(() -> {
                Notifier fresh = new Notifier(
                        vertx,
                        options,
                        store,
                        new Delivery(new Webhook(vertx, environment, options.timeout()), command()));
                notifier = Optional.of(fresh);
                return state().onSuccess(state -> begin(fresh, state))
                        .onFailure(unknown -> dropNow())
                        .mapEmpty();
            });
        }

        /** Begins, unless the duty was withdrawn in the meantime. */
        private void begin(Notifier fresh, OutboxState state) {
            if (notifier.filter(fresh::equals).isPresent()) {
                fresh.begin(state);
                failures.begin();
            }
        }

        @Override
        public Future<Void> end() {
            return home.call(NotifierVerticle.this::endDelivery);
        }

        @Override
        public void drop() {
            home.run(NotifierVerticle.this::dropNow);
        }
    }

    private void dropNow() {
        failures.end();
        notifier.ifPresent(Notifier::drop);
        notifier = Optional.empty();
    }

    private Future<Void> endDelivery() {
        failures.end();
        Optional<Notifier> active = notifier;
        notifier = Optional.empty();
        return active.map(Notifier::end).orElseGet(Future::succeededFuture);
    }

    private Future<OutboxState> state() {
        return store.outbox()
                .compose(known -> known.map(Future::succeededFuture).orElseGet(this::beginState));
    }

    /** Initializes the outbox: events before the first notifier are not delivered. */
    private Future<OutboxState> beginState() {
        return store.lastPosition()
                .compose(newest -> store.beginOutbox(new OutboxState(newest, List.of())))
                .compose(begun -> store.outbox())
                .map(Optional::orElseThrow);
    }

    @Override
    public Future<?> stop() {
        ofFires.close();
        return endDelivery().eventually(workers::close);
    }
}
