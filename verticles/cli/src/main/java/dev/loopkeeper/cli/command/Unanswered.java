package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import java.util.List;
import java.util.Optional;

/** Reports nodes whose state is unknown because they did not answer. */
final class Unanswered {
    private Unanswered() {}

    /** Prints e.g. {@code n3 did not answer: what is there is not known}. */
    static void warn(Console console, Optional<List<String>> nodes) {
        nodes.orElse(List.of())
                .forEach(node -> console.warn(Words.oneLine(node) + " did not answer: what is there is not known"));
    }
}
