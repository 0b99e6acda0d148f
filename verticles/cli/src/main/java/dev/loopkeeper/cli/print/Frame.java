package dev.loopkeeper.cli.print;

import java.util.List;

/**
 * Lines at the bottom of a terminal that are painted again in their place; other lines stay above them. Elsewhere than on a
 * terminal there are none of them. Safe from several threads, as a signal may have something to say.
 */
public final class Frame implements AutoCloseable {
    private static final String UP = "\u001b[A";
    private static final String REST = "\u001b[J";

    private final Console console;
    private List<String> shown = List.of();

    public Frame(Console console) {
        this.console = console;
        console.screen().ifPresent(screen -> screen.bottom(this));
    }

    /** Shows these lines, none of them wider than {@link #room}, instead of those before. */
    public synchronized void show(List<String> lines) {
        if (console.screen().isPresent() && !lines.equals(shown)) {
            console.out().print(takenBack() + String.join(System.lineSeparator(), lines));
            console.out().flush();
            shown = List.copyOf(lines);
        }
    }

    /** Prints a line that stays. */
    public synchronized void print(String line) {
        if (shown.isEmpty()) {
            console.print(line);
            return;
        }
        String again = String.join(System.lineSeparator(), shown);
        console.out().print(takenBack() + line + System.lineSeparator() + again);
        console.out().flush();
    }

    /** Takes the lines back while something is printed that stays, to wherever. */
    synchronized void above(Runnable printing) {
        console.out().print(takenBack());
        console.out().flush();
        printing.run();
        console.out().print(String.join(System.lineSeparator(), shown));
        console.out().flush();
    }

    /** How wide a line may be: one column less than the terminal, as some wrap a line that fills them. */
    int room() {
        return console.screen().map(screen -> screen.size().columns() - 1).orElse(Integer.MAX_VALUE);
    }

    private String takenBack() {
        return shown.isEmpty() ? "" : "\r" + UP.repeat(shown.size() - 1) + REST;
    }

    /** Takes the lines back. */
    @Override
    public synchronized void close() {
        if (!shown.isEmpty()) {
            console.out().print(takenBack());
            console.out().flush();
            shown = List.of();
        }
    }
}
