package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.verdict.NoProgress;
import java.util.List;
import java.util.Optional;

/**
 * The iterations that produced the same result.
 *
 * @param cycle 1 for repeats, 2 for an oscillation, 3 for a cycle of three
 * @param compared what was the same, e.g. {@code [verdict, exit codes, workspace]}
 */
public record NoProgressSnapshot(int cycle, List<String> compared, List<LoopWork.Fingerprint> iterations) {
    /** The pattern at the end of these iterations, oldest first; empty when they differ. */
    public static Optional<JsonNode> found(List<LoopWork.Fingerprint> recent, int repeats, List<String> compared) {
        List<String> texts = recent.stream().map(LoopWork.Fingerprint::text).toList();
        return NoProgress.cycle(texts, repeats).map(cycle -> of(cycle, compared, lastOf(recent, cycle * repeats)));
    }

    private static List<LoopWork.Fingerprint> lastOf(List<LoopWork.Fingerprint> recent, int length) {
        return recent.subList(recent.size() - length, recent.size());
    }

    static JsonNode of(int cycle, List<String> compared, List<LoopWork.Fingerprint> iterations) {
        return Json.MAPPER.valueToTree(new NoProgressSnapshot(cycle, compared, List.copyOf(iterations)));
    }
}
