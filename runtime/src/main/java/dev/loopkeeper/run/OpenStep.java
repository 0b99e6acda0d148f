package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Optional;

/**
 * A step that was asked for and has not ended.
 *
 * @param attempt of its iteration, item, task or gate, from 1
 * @param usage as last heard while it runs
 * @param signalSeen the signal as last seen while it runs
 * @param takenOver whether it is on record that a later runtime took it over
 */
public record OpenStep(
        String stepId,
        Slot slot,
        String agent,
        int attempt,
        String nonce,
        Instant startedAt,
        Usage usage,
        Optional<JsonNode> signalSeen,
        boolean takenOver) {

    OpenStep withUsage(Usage heard) {
        return new OpenStep(stepId, slot, agent, attempt, nonce, startedAt, heard, signalSeen, takenOver);
    }

    OpenStep withSignal(JsonNode seen) {
        return new OpenStep(stepId, slot, agent, attempt, nonce, startedAt, usage, Optional.of(seen), takenOver);
    }

    OpenStep taken() {
        return new OpenStep(stepId, slot, agent, attempt, nonce, startedAt, usage, signalSeen, true);
    }
}
