package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code run.ended}: the last event of every execution, exactly one. */
@JsonTypeName("run.ended")
public record RunEnded(RunStatus status, Termination termination, Optional<StopReason> stopReason) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        List<Execution> executions = new ArrayList<>(state.executions());
        if (executions.isEmpty()) {
            executions.add(new Execution(1, at, Optional.empty(), Optional.empty()));
        }
        int last = executions.size() - 1;
        Execution ended = executions.get(last);
        executions.set(
                last, new Execution(ended.execution(), ended.startedAt(), Optional.of(at), Optional.of(termination)));
        return state.with(new Condition.Ended(termination, stopReason))
                .withExecutions(List.copyOf(executions))
                .withRetries(Map.of())
                .withPauses(List.of())
                .withAside(Optional.empty());
    }

    @Override
    public String text() {
        String advice = termination.advice().map(known -> "; " + known).orElse("");
        return status.wire() + ", " + termination.subtype() + ": " + termination.summary() + advice;
    }
}
