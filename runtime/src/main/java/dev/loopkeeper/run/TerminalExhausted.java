package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.TerminalExhaustion;
import java.time.Instant;
import java.util.Optional;

/** {@code terminal-exhaustion}: records an abnormal ending, durable before anything reports it. */
@JsonTypeName("terminal-exhaustion")
public record TerminalExhausted(
        String reasonCode,
        Optional<String> workUnit,
        Optional<String> phase,
        Optional<String> taskId,
        Optional<String> qualifier,
        String summary,
        Instant timestamp)
        implements RunEvent {

    public static TerminalExhausted of(TerminalExhaustion record) {
        return new TerminalExhausted(
                record.reasonCode(),
                record.workUnit(),
                record.phase(),
                record.taskId(),
                record.qualifier(),
                record.summary(),
                record.timestamp());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        TerminalExhaustion record =
                new TerminalExhaustion(reasonCode, workUnit, phase, taskId, qualifier, summary, timestamp);
        return state.withLedger(state.ledger().withExhaustion(Optional.of(record)));
    }

    @Override
    public String text() {
        return "terminal exhaustion, " + reasonCode + ": " + summary;
    }
}
