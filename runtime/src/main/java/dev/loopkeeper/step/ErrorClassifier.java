package dev.loopkeeper.step;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Classifies an error by the ordered table of {@link ErrorRules}. It compares structured code, status and text
 * together; the first matching row decides.
 */
public final class ErrorClassifier {
    private static final int MAX_MESSAGE = 2_000;

    private ErrorClassifier() {}

    /**
     * Classifies an error; never fails.
     *
     * @param now reference for clock times and reset times
     * @param zone of clock times that name none
     */
    public static Classification classify(ErrorRules rules, StructuredError error, Instant now, ZoneId zone) {
        String beside = error.detail().isEmpty() ? "" : "\n" + ErrorText.plain(error.detail());
        String plain = ErrorText.plain(error.message()) + beside;
        ErrorKind kind = rules.kindOf(error, plain).orElseGet(() -> unknown(error));
        Optional<Instant> resumeAt = kind.isTransient() ? stated(error, plain, now, zone) : Optional.empty();
        return new Classification(kind, context(kind, error, now, resumeAt), resumeAt);
    }

    /** An unknown error is transient if the agent itself says so. */
    private static ErrorKind unknown(StructuredError error) {
        return error.retryable().orElse(false) ? ErrorKind.SERVER : ErrorKind.UNCLASSIFIED;
    }

    private static Optional<Instant> stated(StructuredError error, String plain, Instant now, ZoneId zone) {
        return error.resetsAt()
                .filter(instant -> !instant.isAfter(now.plus(RetryTimes.FARTHEST)))
                .or(() -> RetryTimes.find(ErrorText.unwrapped(plain), now, zone))
                .filter(instant -> !instant.isBefore(now))
                .or(() -> error.delay().map(now::plus));
    }

    private static ErrorContext context(
            ErrorKind kind, StructuredError error, Instant now, Optional<Instant> resumeAt) {
        String said =
                EscapeSequences.removed(ErrorText.bounded(error.message())).strip();
        String message = said.isEmpty() ? error.code().orElse(kind.wire()) : said;
        String bounded = message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) : message;
        return resumeAt.map(at -> Duration.between(now, at).toMillis())
                .map(delay -> ErrorContext.of(kind, bounded).withRetryAfterMs(OptionalLong.of(delay)))
                .orElseGet(() -> ErrorContext.of(kind, bounded));
    }
}
