package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Optional;

/** An event of a step. Its JSON names the phase, the iteration and the item beside the complete position. */
@JsonPropertyOrder({"stepId", "phase", "iteration", "item"})
public interface OfStep {
    StepPosition position();

    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    default String phase() {
        return position().phase();
    }

    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    default Optional<Integer> iteration() {
        return position().iteration();
    }

    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    default Optional<String> item() {
        return position().item();
    }
}
