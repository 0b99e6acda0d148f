package dev.loopkeeper.run;

import dev.loopkeeper.step.Usage;
import java.time.Instant;

/** {@code step.usage}: what a running step has used so far, all of it, not the difference. */
public record StepUsage(String stepId, Usage usage) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        OpenStep step = state.steps().get(stepId);
        return step == null ? state : state.withSteps(Copies.plus(state.steps(), stepId, step.withUsage(usage)));
    }
}
