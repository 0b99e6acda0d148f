package dev.loopkeeper.embed;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Durable events of runs as the records of the runtime, for embedding code: {@code TerminalExhausted} from
 * {@code loopkeeper.events.terminal-exhaustion}, {@code StopAsked} from {@code loopkeeper.events.stop}, and so on.
 */
public final class RunEvents {
    private RunEvents() {}

    /**
     * One event and whose it is.
     *
     * @param sequence from 1, rises by 1 within a run
     * @param execution from 1
     */
    public record Heard<E extends RunEvent>(String runId, long sequence, Instant at, int execution, E event) {}

    /**
     * Hears every event of this kind until the consumer is unregistered, on the event loop that calls. Delivery is
     * best effort: what counts is in the store.
     *
     * @param kind one of the permitted classes of {@link RunEvent}
     */
    public static <E extends RunEvent> MessageConsumer<?> listen(
            EventBus bus, Class<E> kind, Consumer<Heard<E>> listener) {
        return StoreChannels.eventsOf(EventTypes.of(kind)).listen(bus, positioned -> {
            StoredEvent stored = positioned.event();
            E event = kind.cast(EventJson.read(stored.type(), stored.data()));
            listener.accept(heard(stored, event));
        });
    }

    static <E extends RunEvent> Heard<E> heard(StoredEvent stored, E event) {
        return new Heard<>(stored.runId(), stored.sequence(), stored.at(), stored.execution(), event);
    }
}
