package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.termination.TerminalExhaustion;
import java.time.Instant;
import java.util.Optional;

/** {@code terminal-exhaustion}: records an abnormal ending, durable before anything reports it. */
@JsonTypeName("terminal-exhaustion")
public record TerminalExhausted(@JsonUnwrapped TerminalExhaustion exhaustion) implements RunEvent {
    /** E.g. {@code convergence-limit}. */
    public String reasonCode() {
        return exhaustion.reasonCode();
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        return state.withLedger(state.ledger().withExhaustion(Optional.of(exhaustion)));
    }

    @Override
    public String text() {
        return "ending recorded, " + exhaustion.text();
    }
}
