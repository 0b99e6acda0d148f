package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@code run.pausing}: nothing new is launched; the run pauses when its open steps have ended. */
@JsonTypeName("run.pausing")
public record RunPausing(Pause pause) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        List<Pause> due = new ArrayList<>(state.pauses());
        if (pause.reason() != PauseReason.OPERATOR || due.isEmpty()) {
            due.add(pause);
        }
        if (due.size() > 1) {
            // A pause for another reason also serves as the pause that the operator requested.
            due.removeIf(waiting -> waiting.reason() == PauseReason.OPERATOR);
        }
        return state.withPauses(List.copyOf(due));
    }

    @Override
    public String text() {
        return "pausing, " + pause.reason().words() + ": " + pause.message() + pause.requested();
    }
}
