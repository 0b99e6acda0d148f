package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.view.ItemAttempt;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the ended attempts of a run's items from events. Not thread-safe. */
public final class ItemAttempts {
    /** The type of those events. */
    public static final String ENDED = "item.finished";

    private static final int MOST_OF_ITEM = 20;

    private final Map<String, Map<String, Deque<ItemAttempt>>> attempts = new HashMap<>();

    /** Adds the next older event; ignores one that ends no attempt. */
    public void addOlder(JsonNode data, Instant at) {
        JsonNode outcome = data.path("outcome");
        if (data.path("attempt").asInt() > 0) {
            Deque<ItemAttempt> known = attempts.computeIfAbsent(
                            data.path("phase").asText(), phase -> new HashMap<>())
                    .computeIfAbsent(data.path("item").asText(), item -> new ArrayDeque<>());
            if (known.size() < MOST_OF_ITEM) {
                known.addFirst(new ItemAttempt(data.path("attempt").asInt(), outcome.asText(), at));
            }
        }
    }

    /** The attempts of an item, oldest first. */
    List<ItemAttempt> of(String phase, String item) {
        return List.copyOf(attempts.getOrDefault(phase, Map.of()).getOrDefault(item, new ArrayDeque<>()));
    }
}
