package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.Json;
import java.util.List;

/**
 * The iterations that were alike.
 *
 * @param cycle 1 for repeats, 2 for an oscillation, 3 for a cycle of three
 */
record NoProgressSnapshot(int cycle, List<LoopWork.Fingerprint> iterations) {
    static JsonNode of(int cycle, List<LoopWork.Fingerprint> iterations) {
        return Json.MAPPER.valueToTree(new NoProgressSnapshot(cycle, List.copyOf(iterations)));
    }
}
