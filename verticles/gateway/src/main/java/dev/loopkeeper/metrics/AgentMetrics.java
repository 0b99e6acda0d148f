package dev.loopkeeper.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.Set;

/** What steps cost, by the agent's name in its manifest. Used from one context only. */
final class AgentMetrics {
    /** Names of manifests are endless, series must not be: those beyond count as one. */
    static final int MOST_NAMES = 50;

    private static final String OTHERS = "(others)";

    private final MeterRegistry registry;
    private final Set<String> names = new HashSet<>();

    AgentMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * What a step used; what is unknown is left out.
     *
     * @param costUnknown the step cost something that it did not tell
     */
    void used(String agent, JsonNode usage, boolean costUnknown) {
        String name = names.contains(agent) || (names.size() < MOST_NAMES && names.add(agent)) ? agent : OTHERS;
        if (usage.path("costUsd").isNumber()) {
            cost(name).increment(usage.path("costUsd").doubleValue());
        }
        untold(name).increment(costUnknown ? 1 : 0);
        add(tokens(name, "input"), usage.path("inputTokens"));
        add(tokens(name, "output"), usage.path("outputTokens"));
    }

    private Counter cost(String agent) {
        return Counter.builder("loopkeeper.agent.cost.usd")
                .description("US dollars that finished steps said they cost")
                .tag("agent", agent)
                .register(registry);
    }

    private Counter untold(String agent) {
        return Counter.builder("loopkeeper.agent.cost.untold.steps")
                .description("Finished steps that did not say what they cost")
                .tag("agent", agent)
                .register(registry);
    }

    private Counter tokens(String agent, String kind) {
        return Counter.builder("loopkeeper.agent.tokens")
                .description("Tokens that finished steps said they used")
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
