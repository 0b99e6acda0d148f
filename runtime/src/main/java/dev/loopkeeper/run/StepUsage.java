package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@code step.usage}: what a running step has used so far, all of it, not the difference. */
@JsonTypeName("step.usage")
public record StepUsage(String stepId, Usage usage) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        OpenStep step = state.steps().get(stepId);
        return step == null ? state : state.withSteps(Copies.plus(state.steps(), stepId, step.withUsage(usage)));
    }

    @Override
    public String text() {
        List<String> parts = new ArrayList<>();
        if (usage.inputTokens().isPresent() || usage.outputTokens().isPresent()) {
            parts.add(usage.inputTokens().orElse(0) + usage.outputTokens().orElse(0) + " tokens");
        }
        usage.turns().ifPresent(turns -> parts.add(turns + " turns"));
        usage.costUsd().ifPresent(cost -> parts.add(cost + " USD"));
        return "step " + stepId + " used " + String.join(", ", parts);
    }
}
