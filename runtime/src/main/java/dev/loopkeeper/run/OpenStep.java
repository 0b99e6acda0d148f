package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.EarlierSession;
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
 * @param retrying since when its agent tries again by itself, and when that was told last
 * @param session the session that it goes on with; absent: it begins one
 */
public record OpenStep(
        String stepId,
        StepPosition slot,
        String agent,
        int attempt,
        String nonce,
        Instant startedAt,
        Usage usage,
        Optional<JsonNode> signalSeen,
        boolean takenOver,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Retrying> retrying,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> session) {

    /** How long an agent has been trying again by itself. */
    public record Retrying(Instant since, Instant toldAt) {}

    /** Older snapshots do not know of agents that try again. */
    public OpenStep {
        retrying = retrying == null ? Optional.empty() : retrying;
        session = session == null ? Optional.empty() : session;
    }

    public OpenStep withUsage(Usage heard) {
        return new OpenStep(
                stepId, slot, agent, attempt, nonce, startedAt, heard, signalSeen, takenOver, retrying, session);
    }

    OpenStep withSignal(JsonNode seen) {
        return new OpenStep(
                stepId, slot, agent, attempt, nonce, startedAt, usage, Optional.of(seen), takenOver, retrying, session);
    }

    OpenStep taken() {
        return new OpenStep(stepId, slot, agent, attempt, nonce, startedAt, usage, signalSeen, true, retrying, session);
    }

    OpenStep toldToRetry(Instant at) {
        Retrying told = new Retrying(retrying.map(Retrying::since).orElse(at), at);
        return new OpenStep(
                stepId,
                slot,
                agent,
                attempt,
                nonce,
                startedAt,
                usage,
                signalSeen,
                takenOver,
                Optional.of(told),
                session);
    }
}
