package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Passes durable events from the event bus to listeners in this gateway, in order. Used on one event loop. */
public final class LiveEvents {
    private final Set<Consumer<PositionedEvent>> listeners = new LinkedHashSet<>();

    /** Starts to receive; completes when no later event can be missed. */
    public Future<Void> start(EventBus bus) {
        return StoreChannels.EVENTS.listen(bus, this::publish).completion();
    }

    private void publish(PositionedEvent event) {
        List.copyOf(listeners).forEach(listener -> listener.accept(event));
    }

    /** Receives every event until the returned action is run. */
    Runnable listen(Consumer<PositionedEvent> listener) {
        Consumer<PositionedEvent> own = event -> listener.accept(event);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** Receives the events of one run until the returned action is run. */
    public Runnable listen(String runId, Consumer<PositionedEvent> listener) {
        return listen(event -> {
            if (event.event().runId().equals(runId)) {
                listener.accept(event);
            }
        });
    }

    public int listeners() {
        return listeners.size();
    }
}
