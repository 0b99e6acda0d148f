package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@code step.usage}: the total usage of a running step so far. */
@JsonTypeName("step.usage")
public record StepUsage(String stepId, Usage usage) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state.changingStep(stepId, step -> step.withUsage(usage));
    }

    @Override
    public String text() {
        List<String> parts = new ArrayList<>();
        usage.tokens().ifPresent(tokens -> parts.add(Amounts.count(tokens, "token")));
        usage.turns().ifPresent(turns -> parts.add(Amounts.count(turns, "turn")));
        usage.costUsd().ifPresent(cost -> parts.add(Amounts.dollars(cost)));
        return "step " + stepId + " used " + String.join(", ", parts);
    }
}
