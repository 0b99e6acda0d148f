package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.Usage;
import java.util.HashMap;
import java.util.Map;

/**
 * Nothing is launched beside running steps when what was used, and what they may use by the most expensive ended step of the
 * same agent, reaches a cap. Counted from the events alone, in cents and whole numbers.
 */
final class MoneyInvariant {
    /** Cents, tokens, turns. */
    private record Sum(long cents, long tokens, long turns) {
        static final Sum NOTHING = new Sum(0, 0, 0);

        static Sum of(Usage usage) {
            return new Sum(
                    Math.round(usage.costUsd().orElse(0) * 100),
                    usage.inputTokens().orElse(0) + usage.outputTokens().orElse(0),
                    usage.turns().orElse(0));
        }

        Sum plus(Sum other) {
            return new Sum(cents + other.cents, tokens + other.tokens, turns + other.turns);
        }

        boolean below(Budget budget) {
            return (budget.costUsd().isEmpty()
                            || cents < Math.round(budget.costUsd().getAsDouble() * 100))
                    && (budget.tokens().isEmpty() || tokens < budget.tokens().getAsLong())
                    && (budget.turns().isEmpty() || turns < budget.turns().getAsLong());
        }
    }

    private final Map<String, Usage> highestUsage = new HashMap<>();
    private final Map<String, String> agents = new HashMap<>();
    private final Map<String, Usage> open = new HashMap<>();
    private Sum ended = Sum.NOTHING;

    void add(RunEvent event, Budget budget) {
        if (event instanceof StepStarted started) {
            boolean withinBudget = open.isEmpty() || expected().below(budget);
            RunInvariants.hold(withinBudget, "the expected cost is within the budget for", started.stepId());
            open.put(started.stepId(), Usage.UNKNOWN);
            agents.put(started.stepId(), started.agent());
        } else if (event instanceof StepUsage received) {
            open.replace(received.stepId(), received.usage());
        } else if (event instanceof StepFinished finished) {
            Usage used = finished.result().usage().orElse(Usage.UNKNOWN);
            open.remove(finished.stepId());
            highestUsage.merge(finished.agent(), used, Spending::most);
            ended = ended.plus(Sum.of(used));
        }
    }

    private Sum expected() {
        Sum sum = ended;
        for (Map.Entry<String, Usage> step : open.entrySet()) {
            Usage most = highestUsage.getOrDefault(agents.get(step.getKey()), Usage.UNKNOWN);
            sum = sum.plus(Sum.of(Spending.most(step.getValue(), most)));
        }
        return sum;
    }
}
