package dev.loopkeeper.notify;

import dev.loopkeeper.bus.RecordCodec;
import dev.loopkeeper.store.StoreAnswers;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreQuestions;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets {@link Notifier} hear the durable events. Deploy one instance, after the checkpoint writer and before the
 * scheduler, so that it hears everything and outlives whoever makes events.
 */
public final class NotifierVerticle extends VerticleBase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int WORKERS = 2;

    private final NotifierOptions options;
    private final Map<String, String> environment;
    private Notifier notifier;
    private WorkerExecutor workers;

    /**
     * Delivers as the options say.
     *
     * @param environment variables that hold the secrets of webhooks
     */
    public NotifierVerticle(NotifierOptions options, Map<String, String> environment) {
        this.options = options;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        workers = Workers.of(vertx, "loopkeeper-notify", WORKERS);
        OutboxFile file = new OutboxFile(options.data());
        return workers.executeBlocking(file::read, false)
                .compose(this::orNow)
                .map(content -> notifier(new Outbox(workers, file, content)))
                .compose(ready -> listen(ready))
                .onSuccess(hearing -> notifier.begin());
    }

    /** What happened before there was a notifier concerns nobody. */
    private Future<OutboxFile.Content> orNow(Optional<OutboxFile.Content> kept) {
        return kept.map(Future::succeededFuture)
                .orElseGet(() -> StoreChannels.LAST_POSITION
                        .ask(vertx.eventBus(), new StoreQuestions.LastPosition(), PATIENCE)
                        .map(StoreAnswers.Position::position)
                        .map(position -> new OutboxFile.Content(position, List.of())));
    }

    private Notifier notifier(Outbox outbox) {
        notifier = new Notifier(
                vertx,
                options,
                outbox,
                new Webhook(vertx, environment, options.timeout()),
                new NotifyCommand(vertx, workers, options.data(), options.commandLimit()));
        return notifier;
    }

    private Future<Void> listen(Notifier ear) {
        return StoreChannels.EVENTS.listen(vertx.eventBus(), ear::hear).completion();
    }

    @Override
    public Future<?> stop() {
        return notifier.end().eventually(workers::close);
    }
}
