package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code run.paused}: no step is open, and none is launched until a resume.
 *
 * @param activeMs active time of the run until the pause
 */
@JsonTypeName("run.paused")
public record RunPaused(PauseReason reason, Optional<String> detail, Pause pause, long activeMs) implements RunEvent {
    public static RunPaused of(Pause pause, long activeMs) {
        return new RunPaused(pause.reason(), pause.detail(), pause, activeMs);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        List<Pause> left = state.pauses().stream()
                .filter(pending ->
                        !pending.withSince(pause.since()).equals(pause) && pending.reason() != PauseReason.OPERATOR)
                .toList();
        return state.withoutPastPause(at)
                .withCondition(new Condition.Paused(pause))
                .withPauses(left)
                .withConsultation(Optional.empty());
    }

    @Override
    public String text() {
        return "paused, " + reason.text(detail) + ": " + pause.message() + pause.requested();
    }
}
