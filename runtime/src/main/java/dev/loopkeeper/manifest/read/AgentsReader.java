package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.EscalateSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads the agents and checks their references to each other. */
final class AgentsReader {
    private AgentsReader() {}

    static Map<String, AgentSpec> read(DocumentNode node) {
        Map<String, DocumentNode> entries = node.entries();
        if (entries.isEmpty() && node.value().isObject()) {
            node.wrong("expected at least one agent");
        }
        Map<String, AgentSpec> agents = new LinkedHashMap<>();
        entries.forEach((name, agent) -> {
            agent.requireName("an agent's", name);
            AgentReader.read(name, agent, entries.keySet()).ifPresent(spec -> agents.put(name, spec));
        });
        refuseCycles(agents, entries, "fallback", "fallbacks", AgentSpec::fallback);
        refuseCycles(
                agents,
                entries,
                "escalate",
                "escalations",
                agent -> agent.escalate().stream().map(EscalateSpec::to).toList());
        return Collections.unmodifiableMap(agents);
    }

    private static void refuseCycles(
            Map<String, AgentSpec> agents,
            Map<String, DocumentNode> entries,
            String key,
            String edges,
            Function<AgentSpec, List<String>> next) {
        Map<String, List<String>> named = new LinkedHashMap<>();
        agents.forEach((name, agent) -> named.put(name, next.apply(agent)));
        for (List<String> cycle : Cycles.in(named)) {
            Fields.of(entries.get(cycle.get(0)), AgentReader.KEYS)
                    .flatMap(fields -> fields.at(key))
                    .ifPresent(node -> node.wrong(edges + " form a cycle: " + Cycles.text(cycle)));
        }
    }
}
