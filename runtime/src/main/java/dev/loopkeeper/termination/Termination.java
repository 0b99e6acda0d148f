package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How one execution ended. Exactly one is recorded per execution.
 *
 * @param subtype e.g. {@code error_max_turns}
 * @param reasonCode e.g. {@code convergence-limit}; absent for a success
 * @param summary for people, in full length
 * @param alsoTriggered what held at the same moment: reason codes, and names of stop conditions
 * @param usage of the whole run up to here
 * @param costUsd the same as in usage
 * @param durationMs of the execution, in milliseconds, pauses included
 * @param deliverable what the agents handed in
 * @param noProgressSnapshot the iterations that were alike
 * @param errorContext why the deciding step ended early
 * @param advice what to do about it, as the manifest says beside the reason; absent for most endings
 */
public record Termination(
        String subtype,
        Optional<String> reasonCode,
        Category category,
        boolean success,
        String summary,
        Instant at,
        List<String> alsoTriggered,
        Usage usage,
        OptionalDouble costUsd,
        long durationMs,
        Optional<JsonNode> deliverable,
        Optional<JsonNode> noProgressSnapshot,
        Optional<ErrorContext> errorContext,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> advice) {}
