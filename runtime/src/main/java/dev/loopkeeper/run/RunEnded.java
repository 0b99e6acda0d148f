package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code run.ended}: the last event of every execution, exactly one.
 *
 * @param activeMs active time of the run over all its executions
 */
@JsonTypeName("run.ended")
public record RunEnded(RunStatus status, Termination termination, Optional<StopReason> stopReason, long activeMs)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        List<Execution> before = state.executions();
        int last = Math.max(0, before.size() - 1);
        Execution current = before.isEmpty() ? Execution.begin(1, at, state.parent()) : before.get(last);
        Execution ended = new Execution(
                last + 1, current.startedAt(), Optional.of(at), Optional.of(termination), current.parent());
        return state.withCondition(new Condition.Ended(termination, stopReason))
                .withExecutions(Copies.plus(before.subList(0, last), ended))
                .withRetries(Map.of())
                .withPauses(List.of())
                .withConsultation(Optional.empty());
    }

    @Override
    public String text() {
        String advice = termination.advice().map(text -> "; " + text).orElse("");
        if (termination.success()) {
            return status.wire() + ": " + termination.summary() + advice;
        }
        String summary =
                termination.summaryAfterReason().map(text -> ": " + text).orElse("");
        return status.wire() + ", " + termination.reason() + summary + advice;
    }
}
