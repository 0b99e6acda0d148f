package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * A step that was requested and has not ended.
 *
 * @param attempt of its iteration, item, task or gate, from 1
 * @param nonce marks its processes
 * @param usage last reported while it runs
 * @param signalSeen last valid signal while it runs
 * @param takenOver whether a later runtime's takeover of the step is recorded
 * @param retrying since when its agent retries a request itself, and when a notice last reported it
 * @param session the session that it continues; absent: it begins one
 */
@RecordBuilder
public record OpenStep(
        String stepId,
        @JsonProperty("slot") StepPosition position,
        String agent,
        int attempt,
        String nonce,
        Instant startedAt,
        Usage usage,
        Optional<JsonNode> signalSeen,
        boolean takenOver,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Retrying> retrying,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> session)
        implements OpenStepBuilder.With {
    /**
     * How long an agent has been retrying.
     *
     * @param toldAt time of the last notice
     */
    public record Retrying(Instant since, Instant toldAt) {}

    public OpenStep retriesAt(Instant at) {
        Retrying retries = new Retrying(retrying.map(Retrying::since).orElse(at), at);
        return withRetrying(Optional.of(retries));
    }
}
