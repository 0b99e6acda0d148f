package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Describes how an execution ended. Each execution records exactly one.
 *
 * @param subtype e.g. {@code error_max_turns}
 * @param reasonCode e.g. {@code convergence-limit}; absent for a success
 * @param summary for people, not shortened
 * @param alsoTriggered other reason codes and stop conditions that applied at the same time
 * @param usage of the run so far
 * @param costUsd US dollars, as in usage
 * @param durationMs of the execution, in milliseconds, pauses included
 * @param deliverable the work product that the agents submitted
 * @param noProgressSnapshot the iterations that produced the same result
 * @param errorContext error of the deciding step
 * @param advice the manifest's advice for this reason, if any
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
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> advice) {
    /** Words and codes, e.g. {@code iteration limit reached (error_max_turns, convergence-limit)}. */
    public String reason() {
        List<String> codes = new ArrayList<>();
        Optional<String> words = StandardReason.ofSubtype(subtype).map(StandardReason::words);
        words.ifPresent(known -> codes.add(subtype));
        reasonCode.ifPresent(codes::add);
        String first = words.orElse(subtype);
        return codes.isEmpty() ? first : first + " (" + String.join(", ", codes) + ")";
    }

    /** What the summary adds to the words of {@link #reason}, e.g. {@code during a pause}; empty if nothing. */
    public Optional<String> summaryAfterReason() {
        String words =
                StandardReason.ofSubtype(subtype).map(StandardReason::words).orElse("");
        String rest = summary.startsWith(words) ? summary.substring(words.length()) : summary;
        return Optional.of(rest.replaceFirst("^[:,;]? +", "")).filter(text -> !text.isEmpty());
    }
}
