package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the body of an {@code each} phase. */
record EachReader(Map<String, AgentSpec> agents) {
    static final List<String> KEYS = List.of("items", "itemsFrom", "steps", "maxAttempts", "concurrency");
    static final int MAX_ATTEMPTS = 3;
    static final int CONCURRENCY = 1;

    Optional<PhaseSpec> read(DocumentNode node, String name, boolean critical) {
        return Fields.of(node, KEYS).map(fields -> each(fields, name, critical));
    }

    private PhaseSpec each(Fields fields, String name, boolean critical) {
        if (fields.has("items") == fields.has("itemsFrom")) {
            fields.map().wrong("expected exactly one of items and itemsFrom");
        }
        return new EachPhase(
                name,
                fields.at("items").map(ItemsReader::read).orElse(List.of()),
                fields.text("itemsFrom"),
                fields.elements("steps", "list the agents of an attempt, e.g. [generate, audit]", "step")
                        .flatMap(step -> AgentNames.read(step, agents.keySet()).stream())
                        .toList(),
                fields.whole("maxAttempts", 1, MAX_ATTEMPTS),
                fields.whole("concurrency", 1, CONCURRENCY),
                critical);
    }
}
