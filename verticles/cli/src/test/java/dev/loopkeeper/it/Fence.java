package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A fenced block of a document.
 *
 * @param language what stands behind the fence, e.g. {@code yaml}; may be empty
 * @param text its lines, each with its end
 */
record Fence(String language, String text) {
    /**
     * What a reader types.
     *
     * @param text one command of a shell; several lines where it continues over them
     */
    record Command(String text) {}

    static List<Fence> of(Path document) throws IOException {
        List<Fence> fences = new ArrayList<>();
        String language = null;
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(document)) {
            if (!line.startsWith("```")) {
                text.append(line).append('\n');
            } else if (language == null) {
                language = line.substring(3);
                text.setLength(0);
            } else {
                fences.add(new Fence(language, text.toString()));
                language = null;
            }
        }
        return fences;
    }

    /** In blocks without a language only what stands behind a prompt; elsewhere all of a block of the shell. */
    List<Command> commands() {
        List<Command> commands = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : text.lines().toList()) {
            boolean typed = language.isEmpty() ? line.matches("[$#] .*") || open.length() > 0 : isTyped();
            if (typed) {
                open.append(language.isEmpty() && open.length() == 0 ? line.substring(2) : line);
                if (isWhole(open)) {
                    commands.add(new Command(open.toString()));
                    open.setLength(0);
                } else {
                    open.append('\n');
                }
            }
        }
        return commands;
    }

    private boolean isTyped() {
        return language.equals("sh");
    }

    /** Whether no here-document and no quote is open, and the last line does not end in a backslash. */
    private static boolean isWhole(CharSequence command) {
        if (command.toString().contains("<<'END'")) {
            return command.toString().endsWith("\nEND");
        }
        char quote = ' ';
        char before = ' ';
        for (int i = 0; i < command.length(); i++) {
            char next = command.charAt(i);
            if (quote == '#') {
                quote = next == '\n' ? ' ' : '#';
            } else if (quote != ' ') {
                quote = next == quote ? ' ' : quote;
            } else if (next == '\'' || next == '"' || (next == '#' && before == ' ')) {
                quote = next;
            }
            before = next;
        }
        return (quote == ' ' || quote == '#') && before != '\\';
    }
}
