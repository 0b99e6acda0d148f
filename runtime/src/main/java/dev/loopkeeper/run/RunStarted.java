package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import java.time.Instant;

/** {@code run.started}: the first execution begins. */
@JsonTypeName("run.started")
public record RunStarted() implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Execution first = Execution.begin(1, at, state.parent());
        return state.withoutPastPause(at)
                .withCondition(new Condition.Running())
                .withExecutions(Copies.plus(state.executions(), first));
    }

    @Override
    public String text() {
        return "started";
    }
}
