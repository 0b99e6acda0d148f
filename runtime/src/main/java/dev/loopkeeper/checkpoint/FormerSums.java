package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Sums over a run's steps as they were recorded when a sum of which nobody had told anything was 0. */
final class FormerSums {
    private static final List<String> PARTS = List.of("inputTokens", "outputTokens", "turns");

    private FormerSums() {}

    /** Makes each 0 an unknown; what is no object stays as it is. */
    static void unknownIsNull(JsonNode sums) {
        if (sums instanceof ObjectNode told) {
            for (String part : PARTS) {
                if (told.path(part).asLong() == 0) {
                    told.putNull(part);
                }
            }
        }
    }
}
