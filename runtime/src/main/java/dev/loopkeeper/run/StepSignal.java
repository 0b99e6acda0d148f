package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.OneLine;
import java.time.Instant;
import java.util.Optional;

/** {@code step.signal}: a step's signal file contains this valid object. */
@JsonTypeName("step.signal")
public record StepSignal(String stepId, JsonNode signal) implements RunEvent {
    /** Longest signal in a log line; a deliverable can have a megabyte. */
    private static final int LOGGED = 1_000;

    @Override
    public RunState apply(RunState state, Instant at) {
        return state.changingStep(stepId, step -> step.withSignalSeen(Optional.of(signal)));
    }

    @Override
    public String text() {
        return "step " + stepId + " signals " + OneLine.of(signal.toString(), LOGGED);
    }
}
