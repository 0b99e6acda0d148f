package dev.loopkeeper.run;

import java.time.Instant;
import java.util.List;

/**
 * {@code run.stopping}: the execution ends once what runs is gone.
 *
 * @param graceful what runs is completed and counted; else it is ended
 * @param now whether the grace is skipped
 */
public record RunStopping(EndCause cause, boolean graceful, boolean now) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Condition changed = state.condition() instanceof Condition.Stopping before
                ? new Condition.Stopping(
                        Copies.plus(before.causes(), cause),
                        before.graceful() && graceful,
                        before.now() || now,
                        before.since())
                : new Condition.Stopping(List.of(cause), graceful, now, at);
        return state.with(changed);
    }
}
