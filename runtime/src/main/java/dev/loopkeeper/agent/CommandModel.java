package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.CommandLine;
import java.util.List;
import java.util.Optional;

/** The model that an agent's command names. */
public final class CommandModel {
    private CommandModel() {}

    /** Returns the value of {@code -m} or {@code --model}; empty without one. */
    public static Optional<String> of(CommandLine command) {
        List<String> words =
                command.shell() ? List.of(command.words().get(0).strip().split("\\s+")) : command.words();
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            boolean isOption = word.equals("-m") || word.equals("--model");
            if (isOption && index + 1 < words.size()) {
                return Optional.of(unquoted(words.get(index + 1)));
            }
            if (word.startsWith("--model=")) {
                return Optional.of(unquoted(word.substring("--model=".length())));
            }
        }
        return Optional.empty();
    }

    private static String unquoted(String word) {
        return word.replaceAll("^[\"']|[\"']$", "");
    }
}
