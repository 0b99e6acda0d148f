package dev.loopkeeper.cli.print;

import java.util.function.Consumer;

/** A question in the last line of a full screen. */
public final class Prompt {
    private static final int LONGEST = 4000;
    private static final int BACKSPACE = 8;
    private static final int DELETE = 127;

    private final String label;
    private final boolean confirms;
    private final Consumer<String> action;
    private final StringBuilder text = new StringBuilder();

    private Prompt(String label, boolean confirms, Consumer<String> action) {
        this.label = label;
        this.confirms = confirms;
        this.action = action;
    }

    /** Creates a question that runs {@code action} after the key {@code y}; every other key cancels. */
    public static Prompt confirm(String question, Runnable action) {
        return new Prompt(question + " y: yes, any other key: no", true, typed -> action.run());
    }

    /** Creates a prompt that passes on the typed line after enter; escape and Ctrl-C cancel. */
    public static Prompt line(String label, Consumer<String> action) {
        return new Prompt(label, false, action);
    }

    /** Processes a key; returns false once the prompt is answered or cancelled. */
    boolean press(KeyPress press) {
        if (confirms) {
            if (press.character() == 'y' || press.character() == 'Y') {
                action.accept("");
            }
            return false;
        }
        int character = press.character();
        if (character == '\r' || character == '\n') {
            if (!text.toString().isBlank()) {
                action.accept(text.toString().strip());
            }
            return false;
        }
        if (character == BACKSPACE || character == DELETE) {
            text.setLength(Math.max(0, text.length() - 1));
        } else if (character >= ' ' && text.length() < LONGEST) {
            text.append((char) character);
        }
        return character == 0 || press.key() != Key.LEAVE || character == 'q';
    }

    /** Returns the prompt in at most {@code columns} columns; of a long text only the end. */
    String shown(int columns) {
        String whole = confirms ? label : label + text + "_";
        int from = 0;
        while (from < whole.length() && Columns.of(whole.substring(from)) > columns && !confirms) {
            from++;
        }
        return Columns.cut(whole.substring(from), columns);
    }
}
