package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.loopkeeper.manifest.CommandLine;
import java.util.List;
import java.util.Optional;

/** Reads a command: a list of words that runs directly, or a text for {@code sh -c}. */
final class CommandReader {
    private CommandReader() {}

    /** Words may be numbers or booleans, e.g. {@code [sleep, 5]}; the document stores them as texts. */
    static Optional<CommandLine> read(DocumentNode node) {
        if (node.value().isTextual()) {
            node.text().ifPresent(node::fitsLaunch);
            return node.text().map(CommandLine::ofShell);
        }
        if (!node.value().isArray()) {
            return node.expected("a command: a list of words, or a text for the shell");
        }
        List<DocumentNode> elements = node.elements();
        List<String> words =
                elements.stream().flatMap(word -> word.scalar().stream()).toList();
        if (elements.isEmpty() || (!words.isEmpty() && words.get(0).isBlank())) {
            node.wrong("expected a command, found no program");
            return Optional.empty();
        }
        elements.forEach(word -> word.fitsLaunch(word.value().asText()));
        for (int index = 0; words.size() == elements.size() && index < words.size(); index++) {
            // Other threads may read the same document.
            if (!elements.get(index).value().isTextual()) {
                ((ArrayNode) node.value()).set(index, words.get(index));
            }
        }
        return Optional.of(CommandLine.ofWords(words));
    }
}
