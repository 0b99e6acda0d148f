package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.termination.ClearedExhaustion;
import java.time.Instant;

/** {@code terminal-exhaustion.cleared}: a step of the resumed execution succeeded. */
@JsonTypeName("terminal-exhaustion.cleared")
public record TerminalExhaustionCleared(@JsonUnwrapped ClearedExhaustion cleared) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state.withLedger(state.ledger().withCleared(cleared));
    }

    @Override
    public String text() {
        return "no longer stopped, " + cleared.exhaustion().reason() + ": cleared by " + cleared.clearedBy();
    }
}
