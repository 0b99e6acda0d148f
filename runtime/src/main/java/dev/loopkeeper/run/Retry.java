package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loopkeeper.step.ErrorContext;
import java.time.Instant;
import java.util.Optional;

/**
 * A step to be launched again by itself.
 *
 * @param agent which agent is tried: the slot's own or one of its fallbacks
 * @param tries with this agent so far
 * @param fallback how many fallbacks were tried, 0 for the slot's own agent
 * @param dueAt when
 * @param waiting false once it was launched again; kept until the step succeeds, to count the tries
 * @param back when the provider of an agent that was given up is back, if it said so
 * @param reason why it is launched again
 * @param nudges how often it was launched again for a missing signal
 */
public record Retry(
        StepPosition slot,
        String agent,
        int attempt,
        int tries,
        int fallback,
        Instant dueAt,
        boolean waiting,
        ErrorContext error,
        Optional<Instant> back,
        RetryReason reason,
        int nudges) {
    @JsonIgnore
    public boolean isDue(Instant now) {
        return waiting && !dueAt.isAfter(now);
    }

    Retry launched() {
        return new Retry(slot, agent, attempt, tries, fallback, dueAt, false, error, back, reason, nudges);
    }

    /** The run goes on by itself after a pause for the providers: the step's own agent is the first again. */
    Retry returned() {
        return waiting
                ? this
                : new Retry(slot, agent, attempt, tries, 0, dueAt, false, error, Optional.empty(), reason, nudges);
    }

    /** Whether the step is to be launched again for its signal. */
    @JsonIgnore
    boolean isNudge() {
        return waiting && reason == RetryReason.SIGNAL;
    }

    /** The same nudge, the first that counts. */
    Retry firstNudge() {
        return new Retry(slot, agent, attempt, 0, fallback, dueAt, waiting, error, back, reason, 1);
    }

    /** The same agent at once, for this reason. */
    public Retry again(Instant at, ErrorContext cause, RetryReason why) {
        int counted = why == RetryReason.SIGNAL ? nudges + 1 : nudges;
        return new Retry(slot, agent, attempt, tries, fallback, at, true, cause, back, why, counted);
    }
}
