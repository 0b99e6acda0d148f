package dev.loopkeeper.run;

import java.time.Instant;
import java.util.List;

/**
 * {@code step.swept}: a step left processes behind.
 *
 * @param count ended ones
 * @param survivors those that would not die, as {@code pid command}
 */
public record StepSwept(String stepId, int count, List<String> survivors) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state;
    }
}
