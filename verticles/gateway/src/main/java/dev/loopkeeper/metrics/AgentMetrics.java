package dev.loopkeeper.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;

/** Counts cost and tokens of steps by agent name. Used from one context only. */
final class AgentMetrics {
    /** Limits the number of series: manifests may use any names, and further names share one series. */
    static final int MOST_NAMES = 50;

    private static final String OTHERS = "(others)";

    private final MeterRegistry registry;
    private final Set<String> names = new HashSet<>();

    AgentMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Adds the usage of a finished step, without unknown values.
     *
     * @param costUnknown whether the step had a cost that it did not report
     */
    void used(String agent, JsonNode usage, boolean costUnknown) {
        String name = names.contains(agent) || (names.size() < MOST_NAMES && names.add(agent)) ? agent : OTHERS;
        if (usage.path("costUsd").isNumber()) {
            cost(name).increment(usage.path("costUsd").doubleValue());
        }
        withoutCost(name).increment(costUnknown ? 1 : 0);
        add(tokens(name, "input"), usage.path("inputTokens"));
        add(tokens(name, "output"), usage.path("outputTokens"));
    }

    private Counter cost(String agent) {
        return Counter.builder("loopkeeper.agent.cost.usd")
                .description("Reported cost of finished steps in US dollars")
                .tag("agent", agent)
                .register(registry);
    }

    private Counter withoutCost(String agent) {
        return Counter.builder("loopkeeper.agent.steps.without.cost")
                .description("Finished steps without a reported cost")
                .tag("agent", agent)
                .register(registry);
    }

    private Counter tokens(String agent, String kind) {
        return Counter.builder("loopkeeper.agent.tokens")
                .description("Reported tokens of finished steps")
                .tag("agent", agent)
                .tag("kind", kind)
                .register(registry);
    }

    private static void add(Counter counter, JsonNode amount) {
        if (amount.isNumber()) {
            counter.increment(amount.doubleValue());
        }
    }
}
