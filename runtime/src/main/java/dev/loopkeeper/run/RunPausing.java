package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@code run.pausing}: nothing new is launched; the run pauses when what runs has ended. */
@JsonTypeName("run.pausing")
public record RunPausing(Pause pause) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        List<Pause> due = new ArrayList<>(state.pauses());
        if (pause.reason() != PauseReason.OPERATOR || due.isEmpty()) {
            due.add(pause);
        }
        if (due.size() > 1) {
            // Whoever acts on the graver reason has had the look that the operator asked for.
            due.removeIf(waiting -> waiting.reason() == PauseReason.OPERATOR);
        }
        return state.withPauses(List.copyOf(due));
    }

    @Override
    public String text() {
        return "pausing, " + pause.reason().wire() + ": " + pause.message();
    }
}
