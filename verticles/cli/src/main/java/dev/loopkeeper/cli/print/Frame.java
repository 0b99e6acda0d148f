package dev.loopkeeper.cli.print;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;

/**
 * Lines at the bottom of a terminal that are repainted in place while other lines scroll above them. Shows none if
 * there is no terminal. Safe to use from several threads, as signal handlers print messages too.
 */
public final class Frame implements AutoCloseable {
    private final Console console;
    private List<String> shown = List.of();
    /** Null until the first lines are shown. */
    private Display display;

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
            resize();
            display.update(new ArrayList<>(), 0);
        }
    }

    private void paint() {
        if (!shown.isEmpty()) {
            display = display == null ? display() : display;
            resize();
            List<AttributedString> lines = painted(shown);
            int last = lines.size() - 1;
            display.update(
                    lines, last * (size().columns() + 1) + lines.get(last).columnLength());
        }
    }

    private void resize() {
        display.resize(size().rows(), size().columns());
    }

    private Screen.Size size() {
        return console.screen().orElseThrow().size();
    }

    /** Converts lines to those of JLine, which would join a line without a line end with the next one. */
    static List<AttributedString> painted(List<String> lines) {
        List<AttributedString> painted = new ArrayList<>();
        for (String line : lines) {
            painted.add(AttributedString.fromAnsi(painted.size() < lines.size() - 1 ? line + "\n" : line));
        }
        return painted;
    }

    /**
     * Creates the display on the stream of facts. JLine's own system terminal would wait at exit until all is written,
     * and a terminal that was halted by Ctrl-S never accepts it.
     */
    private Display display() {
        try {
            String type = Screen.type(console);
            return new Display(
                    new LineDisciplineTerminal("loopkeeper", type, console.out(), StandardCharsets.UTF_8), false);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Removes the lines from the terminal. */
    @Override
    public synchronized void close() {
        clear();
        shown = List.of();
    }
}
