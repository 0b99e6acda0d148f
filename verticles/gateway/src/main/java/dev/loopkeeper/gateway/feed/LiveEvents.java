package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The gateway's one listener on the durable events; tells them in order to whoever listens here. Lives on one event loop.
 */
public final class LiveEvents {
    private static final int MOST_RUNS = 1024;

    private final Set<Consumer<PositionedEvent>> listeners = new LinkedHashSet<>();
    /** Of the runs that were told of last. */
    private final Map<String, Long> newest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_RUNS;
        }
    };

    /** Begins to hear; completes when no later event can be missed. */
    public Future<Void> start(EventBus bus) {
        return StoreChannels.EVENTS.listen(bus, this::tell).completion();
    }

    private void tell(PositionedEvent event) {
        newest.put(event.event().runId(), event.event().sequence());
        List.copyOf(listeners).forEach(listener -> listener.accept(event));
    }

    /** The sequence of the newest event of this run; 0 when it is none of those that were told of lately. */
    public long newest(String runId) {
        return newest.getOrDefault(runId, 0L);
    }

    /** Hears every event until the answer is run. */
    Runnable listen(Consumer<PositionedEvent> listener) {
        Consumer<PositionedEvent> own = event -> listener.accept(event);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** Hears the events of one run until the answer is run. */
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
