package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code run.paused}: no step is open, and none is launched until a person acts.
 *
 * @param activeMs how long the run was under way until then
 */
@JsonTypeName("run.paused")
public record RunPaused(PauseReason reason, Optional<String> detail, Pause pause, long activeMs) implements RunEvent {
    public static RunPaused of(Pause pause, long activeMs) {
        return new RunPaused(pause.reason(), pause.detail(), pause, activeMs);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        List<Pause> left = state.pauses().stream()
                .filter(due -> !due.beginning(pause.since()).equals(pause) && due.reason() != PauseReason.OPERATOR)
                .toList();
        return state.with(new Condition.Paused(pause)).withPauses(left).withAside(Optional.empty());
    }

    @Override
    public String text() {
        String more = detail.map(known -> " (" + known + ")").orElse("");
        return "paused, " + reason.wire() + more + ": " + pause.message();
    }
}
