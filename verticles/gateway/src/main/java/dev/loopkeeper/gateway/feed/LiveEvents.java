package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.work.BoundedMap;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Passes durable events from the event bus to listeners in this gateway, in order. Used on one event loop. */
public final class LiveEvents {
    private static final int MOST_RUNS = 1024;

    private final Set<Consumer<PositionedEvent>> listeners = new LinkedHashSet<>();
    /** The runs with the latest events. */
    private final Map<String, Long> newest = BoundedMap.byUse(MOST_RUNS);

    /** Starts to receive; completes when no later event can be missed. */
    public Future<Void> start(EventBus bus) {
        return StoreChannels.EVENTS.listen(bus, this::publish).completion();
    }

    private void publish(PositionedEvent event) {
        newest.put(event.event().runId(), event.event().sequence());
        List.copyOf(listeners).forEach(listener -> listener.accept(event));
    }

    /** Returns the sequence of the run's newest event; 0 if it is not among the latest runs. */
    public long newest(String runId) {
        return newest.getOrDefault(runId, 0L);
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
