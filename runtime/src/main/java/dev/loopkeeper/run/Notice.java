package dev.loopkeeper.run;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * {@code notice}: worth knowing, changes nothing but that it is not told again.
 *
 * @param code stable, e.g. {@code recovered}
 * @param message one sentence
 * @param steps open steps that it is about; absent: none
 */
public record Notice(String code, String message, List<String> steps) implements RunEvent {
    /** Without steps in what was written before there were any. */
    public Notice {
        steps = steps == null ? List.of() : List.copyOf(steps);
    }

    static Notice of(String code, String message) {
        return new Notice(code, message, List.of());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        if (steps.isEmpty()) {
            return state;
        }
        Map<String, OpenStep> open = state.steps();
        for (String stepId : steps) {
            OpenStep step = open.get(stepId);
            open = step == null ? open : Copies.plus(open, stepId, step.taken());
        }
        return state.withSteps(open);
    }
}
