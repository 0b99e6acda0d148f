package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.StopCause;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code stop}: a request to stop the run.
 *
 * @param feedback a person's comment, which the next step receives after a resume
 * @param by who requested it, as {@link Requester} says; absent where no person did
 */
@JsonTypeName("stop")
public record StopAsked(
        StopCause cause,
        String message,
        Optional<StopReason> stopReason,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> feedback,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return feedback.map(text -> state.withLedger(state.ledger().plusFeedback(Optional.empty(), text)))
                .orElse(state);
    }

    @Override
    public String text() {
        return "stop, " + cause.wire() + by.map(who -> " by " + who).orElse("") + ": " + message;
    }
}
