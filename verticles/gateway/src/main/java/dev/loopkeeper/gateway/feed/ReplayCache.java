package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.store.PositionedEvent;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Caches encoded events of replays, so that clients that reconnect together share the work. Evicts the least recently
 * used.
 */
final class ReplayCache {
    private final int mostEvents;
    private final int mostCharacters;
    private final Map<Long, EncodedEvent> encoded = new LinkedHashMap<>(16, 0.75f, true);
    private long characters;

    ReplayCache(int mostEvents, int mostCharacters) {
        this.mostEvents = mostEvents;
        this.mostCharacters = mostCharacters;
    }

    EncodedEvent encoded(PositionedEvent event) {
        EncodedEvent known = encoded.get(event.position());
        if (known != null) {
            return known;
        }
        EncodedEvent made = EncodedEvent.of(event);
        encoded.put(event.position(), made);
        characters += made.text().length();
        Iterator<EncodedEvent> oldest = encoded.values().iterator();
        while (encoded.size() > mostEvents || (characters > mostCharacters && oldest.hasNext())) {
            characters -= oldest.next().text().length();
            oldest.remove();
        }
        return made;
    }
}
