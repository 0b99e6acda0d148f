package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The gateway's one ear on the durable events; tells them in order to whoever listens here. Lives on one event loop.
 */
public final class LiveEvents {
    private final Set<Consumer<PositionedEvent>> ears = new LinkedHashSet<>();

    /** Begins to hear; completes when no later event can be missed. */
    public Future<Void> start(EventBus bus) {
        return StoreChannels.EVENTS.listen(bus, this::tell).completion();
    }

    private void tell(PositionedEvent event) {
        List.copyOf(ears).forEach(ear -> ear.accept(event));
    }

    /** Hears every event until the answer is run. */
    Runnable listen(Consumer<PositionedEvent> ear) {
        Consumer<PositionedEvent> own = event -> ear.accept(event);
        ears.add(own);
        return () -> ears.remove(own);
    }

    /** Hears the events of one run until the answer is run. */
    public Runnable listen(String runId, Consumer<PositionedEvent> ear) {
        return listen(event -> {
            if (event.event().runId().equals(runId)) {
                ear.accept(event);
            }
        });
    }

    public int listeners() {
        return ears.size();
    }
}
