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
        JsonNode cost = usage.path("costUsd");
        if (cost.isNumber()) {
            counter("cost.usd", "Reported cost of finished steps in US dollars", "agent", name)
                    .increment(cost.doubleValue());
        }
        counter("steps.without.cost", "Finished steps without a reported cost", "agent", name)
                .increment(costUnknown ? 1 : 0);
        addTokens(name, "input", usage.path("inputTokens"));
        addTokens(name, "output", usage.path("outputTokens"));
    }

    private void addTokens(String agent, String kind, JsonNode amount) {
        counter("tokens", "Reported tokens of finished steps", "agent", agent, "kind", kind)
                .increment(amount.isNumber() ? amount.doubleValue() : 0);
    }

    private Counter counter(String name, String what, String... tags) {
        return Counter.builder("loopkeeper.agent." + name)
                .description(what)
                .tags(tags)
                .register(registry);
    }
}
