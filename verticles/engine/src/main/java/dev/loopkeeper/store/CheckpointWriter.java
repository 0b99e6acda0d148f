package dev.loopkeeper.store;

import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;

/**
 * Appends events over the event bus, by {@link StoreChannels#APPEND}. The events are published once they are durable.
 */
public final class CheckpointWriter {
    /** Longer than any sync; a slower store is treated as unavailable. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventBus bus;
    private final Duration patience;

    /** Creates a writer with the default time limit. */
    public CheckpointWriter(EventBus bus) {
        this(bus, PATIENCE);
    }

    CheckpointWriter(EventBus bus, Duration patience) {
        this.bus = bus;
        this.patience = patience;
    }

    /**
     * Fails as {@link EventStore#append} does, and with {@link StoreUnavailableException} if no answer comes in time.
     */
    public Future<Appended> append(AppendEvents append) {
        return StoreChannels.APPEND
                .ask(bus, append, patience)
                .recover(cause -> Future.failedFuture(cause instanceof ReplyException reply ? of(reply) : cause));
    }

    /** Translates a failure of the bus, or a bug of the store, which has logged it. */
    private static StoreException of(ReplyException reply) {
        return reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                ? new StoreException(reply.getMessage(), reply)
                : new StoreUnavailableException(reply.getMessage(), reply);
    }
}
