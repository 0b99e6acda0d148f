package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code run.pausing}: nothing new is launched; the run pauses when its open steps have ended.
 *
 * @param at when that begins; absent: now
 */
@JsonTypeName("run.pausing")
public record RunPausing(
        Pause pause,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> at) implements RunEvent {
    public static RunPausing now(Pause pause) {
        return new RunPausing(pause, Optional.empty());
    }

    @Override
    public RunState apply(RunState before, Instant now) {
        if (at.isPresent()) {
            return before.withPlannedPause(at.map(due -> new RunState.PlannedPause(due, pause)));
        }
        RunState state = before.withoutPastPause(now);
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
        String when = at.map(time -> "pauses at " + time + ", ").orElse("pausing, ");
        return when + pause.reason().words() + ": " + pause.message() + pause.requested();
    }
}
