package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The result of a step, as the API shows it.
 *
 * @param termination subtype, e.g. {@code stop}
 * @param signal the signal file's object; null when none was valid
 * @param costUsd null when unknown, never 0 for unknown
 * @param estimated whether the cost was computed from prices, because the agent reported none
 * @param durationMs from the launch to the end of the last process
 * @param sweptCount orphaned processes that Loopkeeper ended
 * @param lastLines last output of a failed step, check or gate, at most 4 KiB of UTF-8; absent after a success
 * @param session of the agent; absent when its output reported none
 * @param sandbox what the kernel enforced, e.g. {@code landlock abi 7: write, hide}; absent without a sandbox
 */
public record StepResult(
        StepStatus status,
        String termination,
        OptionalInt exitCode,
        Optional<JsonNode> signal,
        Optional<Usage> usage,
        OptionalDouble costUsd,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean estimated,
        long durationMs,
        Optional<ErrorContext> errorContext,
        Optional<JsonNode> deliverable,
        Optional<JsonNode> noProgressSnapshot,
        Optional<String> errorDiagnostic,
        int sweptCount,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> lastLines,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<StepSession> session,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> sandbox) {}
