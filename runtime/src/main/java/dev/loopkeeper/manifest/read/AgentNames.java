package dev.loopkeeper.manifest.read;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.step.Wording;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads names of agents and refuses undeclared ones. */
final class AgentNames {
    private AgentNames() {}

    /** If no agent is declared, every name passes: the missing agents are a separate problem. */
    static Optional<String> read(DocumentNode node, Collection<String> agents) {
        if (!node.value().isTextual()) {
            return node.expected("the name of an agent");
        }
        Optional<String> name = node.text();
        if (name.isPresent() && !agents.isEmpty() && !agents.contains(name.get())) {
            String message = "no agent is named " + Wording.quoted(name.get()) + "; declare it under agents";
            node.wrong(message, NearestName.of(name.get(), agents));
        }
        return name;
    }

    static List<String> readAll(DocumentNode list, Collection<String> agents) {
        return list.elements().stream()
                .flatMap(node -> read(node, agents).stream())
                .toList();
    }
}
