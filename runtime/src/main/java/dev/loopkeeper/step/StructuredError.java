package dev.loopkeeper.step;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An error as an agent's structured output states it, before it is classified.
 *
 * @param httpStatus of the provider's answer, 400 to 599
 * @param code its code, type or name, e.g. {@code rate_limit_error} or {@code ProviderAuthError}
 * @param retryable what the agent itself thinks
 * @param resetsAt when the provider takes requests again, from a field made for it; outranks every text
 * @param delay the agent's own last wait; counts when nobody says anything better
 * @param message for people; may be empty
 * @param detail what stands beside the message and tells more of the same, e.g. the provider's answer; not for people
 */
public record StructuredError(
        OptionalInt httpStatus,
        Optional<String> code,
        Optional<Boolean> retryable,
        Optional<Instant> resetsAt,
        Optional<Duration> delay,
        String message,
        String detail) {

    /** An error of which only the text is known. */
    public static StructuredError text(String message) {
        return new StructuredError(
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                message,
                "");
    }

    /** An error with a status and a text. */
    public static StructuredError status(int httpStatus, String message) {
        return text(message).withStatus(OptionalInt.of(httpStatus));
    }

    /** An error with a code and a text. */
    public static StructuredError code(String code, String message) {
        return text(message).withCode(Optional.of(code));
    }

    /** The same with this status. */
    public StructuredError withStatus(OptionalInt newStatus) {
        return new StructuredError(newStatus, code, retryable, resetsAt, delay, message, detail);
    }

    /** The same with this code. */
    public StructuredError withCode(Optional<String> newCode) {
        return new StructuredError(httpStatus, newCode, retryable, resetsAt, delay, message, detail);
    }

    /** The same with the agent's own opinion. */
    public StructuredError withRetryable(Optional<Boolean> newRetryable) {
        return new StructuredError(httpStatus, code, newRetryable, resetsAt, delay, message, detail);
    }

    /** The same with this reset time. */
    public StructuredError withResetsAt(Optional<Instant> newResetsAt) {
        return new StructuredError(httpStatus, code, retryable, newResetsAt, delay, message, detail);
    }

    /** The same with the agent's own last wait. */
    public StructuredError withDelay(Optional<Duration> newDelay) {
        return new StructuredError(httpStatus, code, retryable, resetsAt, newDelay, message, detail);
    }

    /** The same with this beside the message. */
    public StructuredError withDetail(String newDetail) {
        return new StructuredError(httpStatus, code, retryable, resetsAt, delay, message, newDetail);
    }
}
