package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import java.time.Instant;
import java.util.Optional;

/** {@code run.started}: the first execution begins. */
@JsonTypeName("run.started")
public record RunStarted() implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Execution first = new Execution(1, at, Optional.empty(), Optional.empty());
        return state.withoutPastPause(at)
                .withCondition(new Condition.Running())
                .withExecutions(Copies.plus(state.executions(), first));
    }

    @Override
    public String text() {
        return "started";
    }
}
