package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a step came to, as the API shows it.
 *
 * @param termination subtype, e.g. {@code stop}
 * @param signal the signal file's object; null when none was valid
 * @param costUsd null when unknown, never 0 for unknown
 * @param durationMs from launch to the last process gone
 * @param sweptCount processes left behind and ended
 * @param lastLines what a failed step, check or gate printed last, at most 4 KiB of UTF-8; absent where it succeeded
 * @param session of the agent; absent where its output told none
 */
public record StepResult(
        StepStatus status,
        String termination,
        OptionalInt exitCode,
        Optional<JsonNode> signal,
        Optional<Usage> usage,
        OptionalDouble costUsd,
        long durationMs,
        Optional<ErrorContext> errorContext,
        Optional<JsonNode> deliverable,
        Optional<JsonNode> noProgressSnapshot,
        Optional<String> errorDiagnostic,
        int sweptCount,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> lastLines,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<StepSession> session) {
    /** What is missing in a record is absent. */
    public StepResult {
        lastLines = lastLines == null ? Optional.empty() : lastLines;
        session = session == null ? Optional.empty() : session;
    }
}
