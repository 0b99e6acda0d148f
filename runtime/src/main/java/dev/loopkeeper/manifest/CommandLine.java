package dev.loopkeeper.manifest;

import java.util.List;

/**
 * A command of the manifest: a list of words runs directly, a text runs in {@code sh -c}.
 *
 * @param words the words of the list, or the one text, e.g. {@code [claude, -p]}; never empty
 * @param shell whether {@code words} is one text for {@code sh -c}
 */
public record CommandLine(List<String> words, boolean shell) {
    /** A text that runs in {@code sh -c}. */
    public static CommandLine ofShell(String text) {
        return new CommandLine(List.of(text), true);
    }

    /** Words that run directly, without a shell. */
    public static CommandLine ofWords(List<String> words) {
        return new CommandLine(words, false);
    }

    /**
     * The argument vector: the words, or {@code sh -c TEXT}. The shell is replaced by exec where TEXT is a single
     * program.
     */
    public List<String> argv() {
        if (!shell) {
            return words;
        }
        String text = words.get(0);
        return List.of("sh", "-c", ShellText.isOneProgram(text) ? "exec " + text : text);
    }
}
