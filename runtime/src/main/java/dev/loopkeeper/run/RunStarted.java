package dev.loopkeeper.run;

import java.time.Instant;
import java.util.Optional;

/** {@code run.started}: the first execution begins. */
public record RunStarted() implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Execution first = new Execution(1, at, Optional.empty(), Optional.empty());
        return state.with(new Condition.Running()).withExecutions(Copies.plus(state.executions(), first));
    }
}
