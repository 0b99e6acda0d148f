package dev.loopkeeper.step;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An error as an agent's structured output states it, before it is classified.
 *
 * @param httpStatus of the provider's answer, 400 to 599
 * @param code its code, type or name, e.g. {@code rate_limit_error} or {@code ProviderAuthError}
 * @param retryable whether the agent itself considers a retry sensible
 * @param resetsAt when the provider accepts requests again, from a dedicated field; outranks every text
 * @param delay the agent's own last delay; applies when no reset is stated
 * @param message for people; may be empty
 * @param detail more text for the classification, e.g. the provider's response; not for people
 */
@RecordBuilder
public record StructuredError(
        OptionalInt httpStatus,
        Optional<String> code,
        Optional<Boolean> retryable,
        Optional<Instant> resetsAt,
        Optional<Duration> delay,
        String message,
        String detail)
        implements StructuredErrorBuilder.With {
    /** An error with only a text. */
    public static StructuredError text(String message) {
        return StructuredErrorBuilder.builder().message(message).detail("").build();
    }

    /** An error with a code and a text. */
    public static StructuredError code(String code, String message) {
        return text(message).withCode(Optional.of(code));
    }
}
