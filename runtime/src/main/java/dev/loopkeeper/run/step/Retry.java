package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.OneLine;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * An automatic retry of a step.
 *
 * @param agent the agent to launch: the position's own or one of its fallbacks
 * @param tries attempts with this agent so far
 * @param fallback number of fallbacks tried, 0 for the position's own agent
 * @param dueAt time of the launch
 * @param waiting false after the launch; the record stays until the step succeeds, to count attempts
 * @param back stated reset time of the provider of an abandoned agent
 * @param reason reason for the retry
 * @param nudges number of retries for a missing signal
 */
@RecordBuilder
public record Retry(
        @JsonProperty("slot") StepPosition position,
        String agent,
        int attempt,
        int tries,
        int fallback,
        Instant dueAt,
        boolean waiting,
        ErrorContext error,
        Optional<Instant> back,
        RetryReason reason,
        int nudges)
        implements RetryBuilder.With {
    /** The condition that the run waits for, one line, e.g. {@code usage limit of claude}. */
    public String waitsFor() {
        return waitsFor(agent, error);
    }

    /** The condition that follows an error of this agent, one line. */
    public static String waitsFor(String agent, ErrorContext error) {
        return error.is(ErrorKind.USAGE_WINDOW)
                ? "usage limit of " + agent
                : OneLine.of(agent + ": " + error.message(), OneLine.SUMMARY);
    }

    @JsonIgnore
    public boolean isDue(Instant now) {
        return waiting && !dueAt.isAfter(now);
    }

    /** The run resumes automatically after a pause for the providers: the step's own agent comes first again. */
    public Retry returned() {
        return waiting ? this : withFallback(0).withWaiting(false).withBack(Optional.empty());
    }

    /** Whether the retry is for a missing signal. */
    @JsonIgnore
    public boolean isNudge() {
        return waiting && reason == RetryReason.SIGNAL;
    }

    /** The retry for a missing signal as the first one that counts. */
    public Retry firstNudge() {
        return withTries(0).withNudges(1);
    }

    /** Retries the same agent at once, for this reason. */
    public Retry again(Instant at, ErrorContext cause, RetryReason why) {
        int counted = why == RetryReason.SIGNAL ? nudges + 1 : nudges;
        return new Retry(position, agent, attempt, tries, fallback, at, true, cause, back, why, counted);
    }
}
