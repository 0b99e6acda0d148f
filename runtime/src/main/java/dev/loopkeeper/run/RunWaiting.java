package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.step.LaunchHold;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code run.waiting}: the run waits for a retry, or for other runs.
 *
 * @param resumeAt when it continues; absent when unknown
 * @param activeMs active time of the run until then
 * @param reason what it waits for; absent for a retry
 * @param detail the name of the pool or cap
 */
@JsonTypeName("run.waiting")
public record RunWaiting(
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> resumeAt,
        String message,
        long activeMs,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LaunchHold.Kind> reason,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> detail)
        implements RunEvent {
    /** Waits for a retry. */
    public static RunWaiting forRetry(Instant dueAt, String message, long activeMs) {
        return new RunWaiting(Optional.of(dueAt), message, activeMs, Optional.empty(), Optional.empty());
    }

    /** Waits for other runs. */
    public static RunWaiting forOthers(LaunchHold hold, long activeMs) {
        return new RunWaiting(
                hold.resumeAt(), hold.message(), activeMs, Optional.of(hold.reason()), Optional.of(hold.detail()));
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        return state.withCondition(new Condition.Waiting(
                resumeAt, reason.map(kind -> new LaunchHold(kind, detail.orElse(""), message, resumeAt))));
    }

    @Override
    public String text() {
        return resumeAt.map(time -> "waiting until " + time).orElse("waiting") + ": " + message;
    }
}
