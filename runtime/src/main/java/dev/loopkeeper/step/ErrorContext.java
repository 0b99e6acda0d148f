package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Explains why a step failed. Loopkeeper classifies an error once, so that no later code matches text.
 *
 * @param message for people
 * @param kind finer than the category, e.g. {@code rate-limit}, {@code auth}, {@code stream-cut}
 * @param stopReason the agent's own stop reason
 * @param isTransient whether a retry may succeed
 * @param retryAfterMs stated delay in milliseconds
 */
@RecordBuilder
public record ErrorContext(
        String message,
        ErrorCategory category,
        String kind,
        Optional<String> stopReason,
        boolean isTransient,
        OptionalLong retryAfterMs)
        implements ErrorContextBuilder.With {
    private static final Pattern EXIT_CODE = Pattern.compile("^exit \\d+(?:: |$)");

    /** The stated delay if it is plausible: 0 to {@link RetryTimes#FARTHEST}. */
    @JsonIgnore
    public Optional<Duration> statedDelay() {
        return retryAfterMs.stream()
                .map(millis -> Math.max(0, Math.min(millis, RetryTimes.FARTHEST.toMillis())))
                .mapToObj(Duration::ofMillis)
                .findFirst();
    }

    /** An error of this kind without a stated delay. */
    public static ErrorContext of(ErrorKind kind, String message) {
        return new ErrorContext(
                message, kind.category(), kind.wire(), Optional.empty(), kind.isTransient(), OptionalLong.empty());
    }

    /** Returns a line of a message without the exit code before it, for a reader who knows the code. */
    public static String withoutExitCode(String line) {
        return EXIT_CODE.matcher(line).replaceFirst("");
    }

    public boolean is(ErrorKind other) {
        return kind.equals(other.wire());
    }
}
