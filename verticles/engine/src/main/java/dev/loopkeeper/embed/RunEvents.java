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
 * Subscribes embedding code to durable events of runs, as records: {@code TerminalExhausted} from {@code
 * loopkeeper.events.terminal-exhaustion}, {@code StopAsked} from {@code loopkeeper.events.stop}, and so on.
 */
public final class RunEvents {
    private RunEvents() {}

    /**
     * One durable event with its run and position.
     *
     * @param sequence from 1, rises by 1 within a run
     * @param execution from 1
     */
    public record Recorded<E extends RunEvent>(String runId, long sequence, Instant at, int execution, E event) {}

    /**
     * Receives every event of this kind until the consumer is unregistered, on the event loop of the caller. Delivery
     * is best effort; the store is authoritative.
     *
     * @param kind one of the permitted classes of {@link RunEvent}
     */
    public static <E extends RunEvent> MessageConsumer<?> listen(
            EventBus bus, Class<E> kind, Consumer<Recorded<E>> listener) {
        return StoreChannels.eventsOf(EventTypes.of(kind)).listen(bus, positioned -> {
            StoredEvent stored = positioned.event();
            E event = kind.cast(EventJson.read(stored.type(), stored.data()));
            listener.accept(recorded(stored, event));
        });
    }

    static <E extends RunEvent> Recorded<E> recorded(StoredEvent stored, E event) {
        return new Recorded<>(stored.runId(), stored.sequence(), stored.at(), stored.execution(), event);
    }
}
