package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
            if (!DocumentNode.isName(name)) {
                agent.wrongKey(
                        "an agent's name has letters, digits, _ and - only, starts with a letter or digit and has"
                                + " at most 64 characters");
            }
            AgentReader.read(name, agent, entries.keySet()).ifPresent(spec -> agents.put(name, spec));
        });
        refuseCycles(agents, entries);
        return Collections.unmodifiableMap(agents);
    }

    private static void refuseCycles(Map<String, AgentSpec> agents, Map<String, DocumentNode> entries) {
        Map<String, List<String>> fallbacks = new LinkedHashMap<>();
        agents.forEach((name, agent) -> fallbacks.put(name, agent.fallback()));
        for (List<String> cycle : Cycles.in(fallbacks)) {
            Fields.of(entries.get(cycle.get(0)), AgentReader.KEYS)
                    .flatMap(fields -> fields.at("fallback"))
                    .ifPresent(list -> list.wrong("fallbacks form a cycle: " + Cycles.text(cycle)));
        }
    }
}
