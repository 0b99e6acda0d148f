package dev.loopkeeper.step;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says once, at the boundary, what an error is, by the ordered table of {@link ErrorRules}: its structured code, its
 * status and its words are looked at together, what stands higher in the table wins.
 */
public final class ErrorClassifier {
    private static final int MAX_MESSAGE = 2_000;

    private ErrorClassifier() {}

    /** What this text is, with nothing structured beside it, by the table that comes with Loopkeeper. */
    public static Classification classify(String text, Instant now, ZoneId zone) {
        return classify(StructuredError.text(text), now, zone);
    }

    /** What this error is by the table that comes with Loopkeeper. */
    public static Classification classify(StructuredError error, Instant now, ZoneId zone) {
        return classify(ErrorRules.builtIn(), error, now, zone);
    }

    /**
     * What this error is; never fails.
     *
     * @param now against which clock times and reset times are read
     * @param zone of clock times that name none
     */
    public static Classification classify(ErrorRules rules, StructuredError error, Instant now, ZoneId zone) {
        String beside = error.detail().isEmpty() ? "" : "\n" + ErrorText.plain(error.detail());
        String plain = ErrorText.plain(error.message()) + beside;
        ErrorKind kind = rules.kindOf(error, plain).orElseGet(() -> unknown(error));
        Optional<Instant> resumeAt = kind.isTransient() ? stated(error, plain, now, zone) : Optional.empty();
        return new Classification(kind, context(kind, error, now, resumeAt), resumeAt);
    }

    /** What nobody knows may pass when the agent itself thinks so. */
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
        return new ErrorContext(
                message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) : message,
                kind.category(),
                kind.wire(),
                Optional.empty(),
                kind.isTransient(),
                resumeAt.map(at -> OptionalLong.of(Duration.between(now, at).toMillis()))
                        .orElse(OptionalLong.empty()));
    }
}
