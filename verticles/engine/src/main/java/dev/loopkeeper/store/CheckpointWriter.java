package dev.loopkeeper.store;

import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;

/** Appends over the event bus, by {@link StoreChannels#APPEND}: what is appended so is published once it is durable. */
public final class CheckpointWriter {
    /** Longer than any sync; a store that is slower is treated as unavailable. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventBus bus;
    private final Duration patience;

    /** Waits for each answer as long as any sync may take. */
    public CheckpointWriter(EventBus bus) {
        this(bus, PATIENCE);
    }

    CheckpointWriter(EventBus bus, Duration patience) {
        this.bus = bus;
        this.patience = patience;
    }

    /** Fails as {@link EventStore#append} does, and with {@link StoreUnavailableException} where no answer comes in time. */
    public Future<Appended> append(AppendEvents append) {
        return StoreChannels.APPEND
                .ask(bus, append, patience)
                .recover(cause -> Future.failedFuture(cause instanceof ReplyException reply ? of(reply) : cause));
    }

    /** A failure of the bus, or a bug on the other side, which was logged there. */
    private static StoreException of(ReplyException reply) {
        return reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                ? new StoreException(reply.getMessage(), reply)
                : new StoreUnavailableException(reply.getMessage(), reply);
    }
}
