package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.statistics.StopReason;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code stop}: something asks the run to stop.
 *
 * @param feedback what a person said with it; it reaches the next step, should the run go on one day
 */
@JsonTypeName("stop")
public record StopAsked(
        StopCause cause,
        String message,
        Optional<StopReason> stopReason,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> feedback)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return feedback.map(text -> state.with(state.ledger().withFeedback(text)))
                .orElse(state);
    }

    @Override
    public String text() {
        return "stop, " + cause.wire() + ": " + message;
    }
}
