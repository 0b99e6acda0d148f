package dev.loopkeeper.workspace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Caches what was read of files, by their facts: a file with the same facts is not read again. Shared by all
 * workspaces, and lost with the process. Thread-safe.
 *
 * @param <T> what was read
 */
final class BoundedCache<T> {
    private final Map<FileFacts, T> known;

    /** @param most the least recently used ones beyond it are forgotten */
    BoundedCache(int most) {
        this.known = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<FileFacts, T> eldest) {
                return size() > most;
            }
        };
    }

    synchronized Optional<T> find(FileFacts facts) {
        return Optional.ofNullable(known.get(facts));
    }

    synchronized void put(FileFacts facts, T read) {
        known.put(facts, read);
    }
}
