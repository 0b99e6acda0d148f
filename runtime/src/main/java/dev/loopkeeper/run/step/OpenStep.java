package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * A step that was requested and has not ended.
 *
 * @param launch its launch
 * @param usage last reported while it runs
 * @param signalSeen last valid signal while it runs
 * @param takenOver whether a later runtime's takeover of the step is recorded
 * @param retrying since when its agent retries a request itself, and when a notice last reported it
 * @param session the session that it continues; absent: it begins one
 */
@RecordBuilder
public record OpenStep(
        @JsonUnwrapped Launch launch,
        Usage usage,
        Optional<JsonNode> signalSeen,
        boolean takenOver,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Retrying> retrying,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> session)
        implements OpenStepBuilder.With {
    /**
     * The constant facts of a launch.
     *
     * @param attempt of its iteration, item, task or gate, from 1
     * @param nonce marks its processes
     */
    public record Launch(
            String stepId,
            @JsonProperty("slot") StepPosition position,
            String agent,
            int attempt,
            String nonce,
            Instant startedAt) {}

    /**
     * How long an agent has been retrying.
     *
     * @param toldAt time of the last notice
     */
    public record Retrying(Instant since, Instant toldAt) {}

    /** A step at the time of its launch. */
    public static OpenStep begun(Launch launch, Optional<EarlierSession> session) {
        return new OpenStep(launch, Usage.UNKNOWN, Optional.empty(), false, Optional.empty(), session);
    }

    public OpenStep retriesAt(Instant at) {
        Retrying retries = new Retrying(retrying.map(Retrying::since).orElse(at), at);
        return withRetrying(Optional.of(retries));
    }

    public String stepId() {
        return launch.stepId();
    }

    public StepPosition position() {
        return launch.position();
    }

    public String agent() {
        return launch.agent();
    }

    public int attempt() {
        return launch.attempt();
    }

    public String nonce() {
        return launch.nonce();
    }

    public Instant startedAt() {
        return launch.startedAt();
    }
}
