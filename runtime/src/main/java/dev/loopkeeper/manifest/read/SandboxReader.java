package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.List;
import java.util.Optional;

/** Reads the sandbox of an agent: a word, or lists of paths. YAML reads the words on and off as booleans. */
final class SandboxReader {
    static final List<String> KEYS = List.of("write", "hide", "network", "protect");

    private SandboxReader() {}

    /** Absent for {@code off}. */
    static Optional<SandboxSpec> read(DocumentNode node) {
        if (node.value().isBoolean() || node.value().isTextual()) {
            boolean on = node.value().isBoolean()
                    ? node.value().booleanValue()
                    : node.choice(node.value().textValue().equals("on") ? Choices.NETWORK : Choices.SANDBOX)
                            .orElse(false);
            return on ? Optional.of(SandboxSpec.WORKSPACE) : Optional.empty();
        }
        return Fields.of(node, KEYS)
                .map(fields -> new SandboxSpec(
                        false,
                        paths(fields, "write").orElse(SandboxSpec.WORKSPACE.write()),
                        paths(fields, "hide").orElse(List.of()),
                        fields.at("network").map(SandboxReader::network).orElse(true),
                        fields.at("protect").map(ProtectReader::read).orElse(List.of())));
    }

    private static boolean network(DocumentNode node) {
        return node.value().isBoolean()
                ? node.value().booleanValue()
                : node.choice(Choices.NETWORK).orElse(true);
    }

    private static Optional<List<String>> paths(Fields fields, String key) {
        return fields.at(key)
                .map(list -> list.elements().stream()
                        .flatMap(element -> element
                                .text(
                                        path -> path.indexOf('\n') < 0,
                                        path -> "expected a path in one line, e.g. ., /tmp or ~/.ssh")
                                .stream())
                        .toList());
    }
}
