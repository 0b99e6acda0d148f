package dev.loopkeeper.manifest;

import java.util.List;

/**
 * A command as the manifest gives it: a list of words is executed as it stands, a text is run by {@code sh -c}.
 *
 * @param words the words of the list, or the one text, e.g. {@code [claude, -p]}; never empty
 * @param shell whether {@code words} is one text for {@code sh -c}
 */
public record CommandLine(List<String> words, boolean shell) {
    /** A text for {@code sh -c}. */
    public static CommandLine ofShell(String text) {
        return new CommandLine(List.of(text), true);
    }

    /** Words that are executed as they stand. */
    public static CommandLine ofWords(List<String> words) {
        return new CommandLine(words, false);
    }

    /** What is executed: the words themselves, or {@code sh -c TEXT}, in its own place where TEXT is one program. */
    public List<String> argv() {
        if (!shell) {
            return words;
        }
        String text = words.get(0);
        return List.of("sh", "-c", ShellText.isOneProgram(text) ? "exec " + text : text);
    }
}
