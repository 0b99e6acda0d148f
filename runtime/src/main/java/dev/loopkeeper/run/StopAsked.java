package dev.loopkeeper.run;

import dev.loopkeeper.statistics.StopReason;
import java.time.Instant;
import java.util.Optional;

/** {@code stop}: something asks the run to stop. */
public record StopAsked(StopCause cause, String message, Optional<StopReason> stopReason) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state;
    }
}
