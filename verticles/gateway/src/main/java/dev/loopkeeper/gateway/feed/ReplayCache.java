package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.store.PositionedEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/** Encoded events of replays, so that clients that come back at the same time share the work. The oldest use leaves. */
final class ReplayCache {
    private final Map<Long, EncodedEvent> encoded;

    ReplayCache(int most) {
        this.encoded = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, EncodedEvent> eldest) {
                return size() > most;
            }
        };
    }

    EncodedEvent encoded(PositionedEvent event) {
        return encoded.computeIfAbsent(event.position(), position -> EncodedEvent.of(event));
    }
}
