package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.Optional;

/**
 * An execution of a run: from a start or resume to a termination; numbered from 1.
 *
 * @param parent where in a trace its requester was; absent: it begins a trace of its own
 */
public record Execution(
        int execution,
        Instant startedAt,
        Optional<Instant> endedAt,
        Optional<Termination> termination,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TraceContext> parent) {
    static Execution begin(int execution, Instant at, Optional<TraceContext> parent) {
        return new Execution(execution, at, Optional.empty(), Optional.empty(), parent);
    }
}
