package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.step.Wording;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the phases in order. */
final class PhasesReader {
    static final List<String> KEYS = List.of("name", "task", "loop", "each", "gate", "retries", "critical");
    static final int RETRIES = 1;

    private static final List<String> KINDS = List.of("task", "loop", "each", "gate");

    private final Map<String, AgentSpec> agents;
    private final Set<String> names = new HashSet<>();

    PhasesReader(Map<String, AgentSpec> agents) {
        this.agents = agents;
    }

    List<PhaseSpec> read(DocumentNode list) {
        return list.elements("phase").stream()
                .flatMap(node -> Fields.of(node, KEYS).flatMap(this::phase).stream())
                .toList();
    }

    private Optional<PhaseSpec> phase(Fields fields) {
        String name = name(fields);
        boolean critical = fields.flag("critical", true);
        int retries = fields.whole("retries", 0, RETRIES);
        List<String> kinds = KINDS.stream().filter(fields::has).toList();
        if (kinds.size() != 1) {
            String found = kinds.isEmpty() ? "none" : String.join(" and ", kinds);
            fields.map().wrong("expected exactly one of task, loop, each and gate, found " + found);
        }
        if (!kinds.contains("gate")) {
            fields.at("retries").ifPresent(node -> node.wrong("only a gate has retries"));
        }
        List<PhaseSpec> read = kinds.stream()
                .flatMap(kind -> body(fields, kind, name, critical, retries).stream())
                .toList();
        return read.stream().findFirst();
    }

    private String name(Fields fields) {
        Optional<DocumentNode> node = fields.required("name", "give the phase a name that is unique in the manifest");
        Optional<String> name = node.flatMap(DocumentNode::name);
        if (name.isPresent() && !names.add(name.get())) {
            String message = "the name " + Wording.quoted(name.get()) + " is taken by a phase above; names are unique";
            node.get().wrong(message);
        }
        return name.orElse("");
    }

    private Optional<PhaseSpec> body(Fields fields, String kind, String name, boolean critical, int retries) {
        DocumentNode node = fields.at(kind).orElseThrow();
        return switch (kind) {
            case "loop" -> new LoopReader(agents).read(node, name, critical);
            case "each" -> new EachReader(agents).read(node, name, critical);
            case "gate" -> agent(node).map(agent -> new GatePhase(name, agent, retries, critical));
            default -> agent(node).map(agent -> new TaskPhase(name, agent, critical));
        };
    }

    private Optional<String> agent(DocumentNode node) {
        return AgentNames.read(node, agents.keySet());
    }
}
