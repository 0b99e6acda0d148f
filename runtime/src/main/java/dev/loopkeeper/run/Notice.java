package dev.loopkeeper.run;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code notice}: worth knowing, changes nothing but that it may not be told again.
 *
 * @param code stable, e.g. {@code recovered}
 * @param message one sentence
 * @param steps open steps that it is about; absent: none
 * @param once what it is about, where a run is told so no more than once, e.g. {@code budget-untold:tokens:dev}
 */
public record Notice(String code, String message, List<String> steps, Optional<String> once) implements RunEvent {
    /** Without steps in what was written before there were any. */
    public Notice {
        steps = steps == null ? List.of() : List.copyOf(steps);
    }

    Notice(String code, String message, List<String> steps) {
        this(code, message, steps, Optional.empty());
    }

    static Notice once(String code, String about, String message) {
        return new Notice(code, message, List.of(), Optional.of(about));
    }

    static Notice of(String code, String message) {
        return new Notice(code, message, List.of());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        if (once.isPresent()) {
            return state.with(state.ledger().withSaid(once.get()));
        }
        Map<String, OpenStep> open = state.steps();
        for (String stepId : steps) {
            OpenStep step = open.get(stepId);
            open = step == null ? open : Copies.plus(open, stepId, step.taken());
        }
        return state.withSteps(open);
    }
}
