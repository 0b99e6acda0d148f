package dev.loopkeeper.cli.print;

import java.util.List;

/**
 * Lines at the bottom of a terminal that are repainted in place while other lines scroll above them. The cursor waits in
 * a blank line above them. Typed keys, lines of other processes and a narrower terminal move it with the text before it,
 * so that everything from the cursor on can always be cleared. Shows none if there is no terminal. Safe to use from
 * several threads, as signal handlers print messages too.
 */
public final class Frame implements AutoCloseable {
    /** The line of the cursor, and all below it. */
    private static final String CLEARED = "\r\u001b[J";

    private final Console console;
    private List<String> shown = List.of();

    public Frame(Console console) {
        this.console = console;
        console.screen().ifPresent(screen -> screen.bottom(this));
    }

    /** Replaces the shown lines by these; none may be wider than {@link #columns}. */
    public synchronized void show(List<String> lines) {
        if (console.screen().isPresent() && !lines.equals(shown)) {
            clear();
            shown = List.copyOf(lines);
            paint();
        }
    }

    /** Prints a line that stays above the frame. */
    public synchronized void print(String line) {
        above(() -> console.print(line));
    }

    /** Hides the lines while {@code printing} prints text that stays, then shows them again. */
    synchronized void above(Runnable printing) {
        clear();
        printing.run();
        paint();
    }

    /**
     * Returns how many columns a line may take: one less than the terminal has, as some terminals wrap a line that
     * fills them.
     */
    int columns() {
        return console.screen().map(screen -> screen.size().columns() - 1).orElse(Integer.MAX_VALUE);
    }

    private void clear() {
        if (!shown.isEmpty()) {
            write(CLEARED);
        }
    }

    private void paint() {
        if (!shown.isEmpty()) {
            int most = Math.max(1, console.screen().orElseThrow().size().rows() - 1);
            List<String> lines = shown.subList(0, Math.min(shown.size(), most));
            write("\n" + String.join("\n", lines) + "\r\u001b[" + lines.size() + "A");
        }
    }

    private void write(String text) {
        console.out().print(text);
        console.out().flush();
    }

    /** Removes the lines from the terminal. */
    @Override
    public synchronized void close() {
        clear();
        shown = List.of();
    }
}
