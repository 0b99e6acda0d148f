package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An agent's report that it retries a failed request itself, e.g. {@code Reconnecting... 2/5}.
 *
 * @param cause what failed, one line, e.g. {@code 529 overloaded}
 * @param attempt number of the attempt, from 1, if reported
 * @param most limit of attempts, if reported
 * @param nextInMs delay before the next attempt, if reported
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record OwnRetry(String cause, OptionalInt attempt, OptionalInt most, OptionalLong nextInMs) {
    private static final int LONGEST_CAUSE = 200;

    /** Causes are cut. */
    public OwnRetry {
        cause = cause.length() > LONGEST_CAUSE ? cause.substring(0, LONGEST_CAUSE) : cause;
    }

    /** E.g. {@code attempt 3 of 10: 529 overloaded, next in 4.8s}. */
    public String text() {
        StringBuilder text = new StringBuilder();
        attempt.ifPresent(number -> text.append("attempt ").append(number));
        most.ifPresent(number -> text.append(" of ").append(number));
        text.append(text.length() > 0 && !cause.isEmpty() ? ": " : "").append(cause);
        nextInMs.ifPresent(millis -> text.append(", next in ")
                .append(BigDecimal.valueOf(millis / 100, 1))
                .append("s"));
        return text.toString();
    }
}
