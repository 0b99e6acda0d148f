package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.RetryPolicy;
import dev.loopkeeper.step.Wording;
import java.util.List;
import java.util.Map;

/**
 * Reads manifests strictly. It checks every key, type, range and reference. The records of this package define the
 * defaults. It opens no files that a manifest names, and treats items from a file as an empty list.
 */
public final class ManifestReader {
    static final List<String> KEYS = List.of(
            "name",
            "priority",
            "workspace",
            "env",
            "vars",
            "agents",
            "phases",
            "isolation",
            "budget",
            "retry",
            "notify",
            "reasons",
            "errors",
            "protect",
            "$schema");
    static final String WORKSPACE = ".";
    private static final int MOST_PRIORITY = 100;

    private ManifestReader() {}

    /** Returns the manifest or all its problems. Never throws. */
    public static ManifestReading read(JsonNode document) {
        return read(document, SourceMap.unknown());
    }

    /** Reads a document whose values have source positions. */
    public static ManifestReading read(JsonNode document, SourceMap sources) {
        Problems problems = new Problems();
        DocumentNode root = new DocumentNode(document, Place.root(sources), problems);
        if (!document.isObject() || document.isEmpty()) {
            root.wrong("expected a manifest with name, agents and phases, found "
                    + (document.isObject() ? "an empty map" : Wording.kindOf(document)));
            return new ManifestReading.Invalid(problems.inDocumentOrder());
        }
        Manifest manifest = manifest(Fields.ofDocument(root, KEYS));
        return problems.isEmpty()
                ? new ManifestReading.Valid(manifest)
                : new ManifestReading.Invalid(problems.inDocumentOrder());
    }

    private static Manifest manifest(Fields fields) {
        fields.at("$schema") // only editors use it
                .filter(node -> !node.value().isTextual())
                .ifPresent(node -> node.wrong("expected the path or URL of the schema"));
        Map<String, AgentSpec> agents = fields.required("agents", "declare the agents by name")
                .map(AgentsReader::read)
                .orElse(Map.of());
        List<PhaseSpec> phases = fields.required("phases", "list at least one phase")
                .map(list -> new PhasesReader(agents).read(list))
                .orElse(List.of());
        return new Manifest(
                fields.required("name", "name the run")
                        .flatMap(DocumentNode::name)
                        .orElse(""),
                fields.text("workspace").orElse(WORKSPACE),
                fields.texts("env", ScalarMap.ENVIRONMENT),
                fields.texts("vars", ScalarMap.VARIABLES),
                agents,
                phases,
                fields.at("isolation").flatMap(node -> IsolationReader.read(node, phases)),
                fields.at("budget").map(BudgetReader::read).orElse(Budget.NONE),
                fields.at("retry").map(RetryReader::read).orElse(RetryPolicy.DEFAULTS),
                fields.at("notify").map(NotifyReader::read).orElse(List.of()),
                fields.at("reasons").map(list -> new ReasonsReader().read(list)).orElse(List.of()),
                fields.at("errors").map(ErrorsReader::read).orElse(List.of()),
                fields.at("protect").map(ProtectReader::read).orElse(List.of()),
                fields.whole("priority", -MOST_PRIORITY, MOST_PRIORITY, 0));
    }
}
