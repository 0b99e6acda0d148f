package dev.loopkeeper.step;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says once, at the boundary, what an error is: by its structured code or status first, by the anchored texts of
 * {@link ErrorKind} second. A text may only sharpen what the code or status says.
 */
public final class ErrorClassifier {
    /** Longer texts are read at both ends only, half of this each; it bounds the work of every pattern. */
    static final int MAX_TEXT = 16_384;

    private static final int MAX_MESSAGE = 2_000;
    private static final Pattern PAGE = Pattern.compile("<!doctype html\\b|<html\\b", Pattern.CASE_INSENSITIVE);

    /** What a text may make of a code or status that is often used for something finer. */
    private static final Map<ErrorKind, Set<ErrorKind>> SHARPENED = Map.of(
            ErrorKind.RATE_LIMIT, EnumSet.of(ErrorKind.USAGE_WINDOW, ErrorKind.BILLING),
            ErrorKind.AUTH,
                    EnumSet.of(
                            ErrorKind.USAGE_WINDOW,
                            ErrorKind.BILLING,
                            ErrorKind.RATE_LIMIT,
                            ErrorKind.NETWORK,
                            ErrorKind.ENTITLEMENT,
                            ErrorKind.MODEL_MISSING),
            ErrorKind.BAD_REQUEST,
                    EnumSet.of(
                            ErrorKind.USAGE_WINDOW,
                            ErrorKind.BILLING,
                            ErrorKind.RATE_LIMIT,
                            ErrorKind.CONTEXT_OVERFLOW,
                            ErrorKind.ENTITLEMENT,
                            ErrorKind.MODEL_MISSING,
                            ErrorKind.AUTH),
            ErrorKind.SERVER, EnumSet.of(ErrorKind.RATE_LIMIT, ErrorKind.OVERLOADED),
            ErrorKind.MODEL_MISSING, EnumSet.of(ErrorKind.ENTITLEMENT));

    private ErrorClassifier() {}

    /** What this text is, with nothing structured beside it. */
    public static Classification classify(String text, Instant now, ZoneId zone) {
        return classify(StructuredError.text(text), now, zone);
    }

    /**
     * What this error is; never fails.
     *
     * @param now against which clock times and reset times are read
     * @param zone of clock times that name none
     */
    public static Classification classify(StructuredError error, Instant now, ZoneId zone) {
        String text = bounded(error.message());
        ErrorKind kind = kindOf(error, text);
        Optional<Instant> resumeAt = kind.isTransient() ? stated(error, text, now, zone) : Optional.empty();
        return new Classification(kind, context(kind, error, text, now, resumeAt), resumeAt);
    }

    private static ErrorKind kindOf(StructuredError error, String text) {
        Optional<ErrorKind> stated =
                error.code().flatMap(ErrorClassifier::byCode).or(() -> byStatus(error.httpStatus()));
        if (stated.isEmpty()) {
            stated = byStatus(HttpStatusText.find(text)).map(kind -> ofPage(kind, text));
        }
        ErrorKind coarse = stated.orElse(ErrorKind.UNCLASSIFIED);
        ErrorKind kind = byText(text, coarse).orElse(coarse);
        boolean passes = kind == ErrorKind.UNCLASSIFIED && error.retryable().orElse(false);
        return passes ? ErrorKind.SERVER : kind;
    }

    private static Optional<ErrorKind> byCode(String code) {
        String spelling = Signs.spelling(code);
        return Stream.of(ErrorKind.values())
                .filter(kind -> Signs.spelling(kind.wire()).equals(spelling)
                        || kind.signs().codes().contains(spelling))
                .findFirst();
    }

    private static Optional<ErrorKind> byStatus(OptionalInt status) {
        if (status.isEmpty()) {
            return Optional.empty();
        }
        Optional<ErrorKind> named = Stream.of(ErrorKind.values())
                .filter(kind -> kind.signs().statuses().contains(status.getAsInt()))
                .findFirst();
        return named.or(() -> byStatusClass(status.getAsInt() / 100));
    }

    private static Optional<ErrorKind> byStatusClass(int hundreds) {
        if (hundreds == 4) {
            return Optional.of(ErrorKind.BAD_REQUEST);
        }
        return hundreds == 5 ? Optional.of(ErrorKind.SERVER) : Optional.empty();
    }

    /** A page where JSON was due comes from something in between, whose refusals say nothing about our account. */
    private static ErrorKind ofPage(ErrorKind kind, String text) {
        return kind.isTransient() || !PAGE.matcher(text).find() ? kind : ErrorKind.SERVER;
    }

    private static Optional<ErrorKind> byText(String text, ErrorKind coarse) {
        Set<ErrorKind> allowed = coarse == ErrorKind.UNCLASSIFIED
                ? EnumSet.allOf(ErrorKind.class)
                : SHARPENED.getOrDefault(coarse, Set.of());
        return Stream.of(ErrorKind.values())
                .filter(allowed::contains)
                .filter(kind -> kind.signs().text().matcher(text).find())
                .findFirst();
    }

    private static Optional<Instant> stated(StructuredError error, String text, Instant now, ZoneId zone) {
        return error.resetsAt()
                .filter(instant -> !instant.isAfter(now.plus(RetryTimes.FARTHEST)))
                .or(() -> RetryTimes.find(text, now, zone))
                .filter(instant -> !instant.isBefore(now));
    }

    private static ErrorContext context(
            ErrorKind kind, StructuredError error, String text, Instant now, Optional<Instant> resumeAt) {
        String message = text.isBlank() ? error.code().orElse(kind.wire()) : text.strip();
        return new ErrorContext(
                message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) : message,
                kind.category(),
                kind.wire(),
                Optional.empty(),
                kind.isTransient(),
                resumeAt.map(at -> OptionalLong.of(Duration.between(now, at).toMillis()))
                        .orElse(OptionalLong.empty()));
    }

    static String bounded(String text) {
        int half = MAX_TEXT / 2;
        return text.length() <= MAX_TEXT
                ? text
                : text.substring(0, half) + "\n" + text.substring(text.length() - half + 1);
    }
}
