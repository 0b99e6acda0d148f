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
 * Lines at the bottom of a terminal that are painted again in their place; other lines stay above them. Elsewhere than on a
 * terminal there are none of them. Safe from several threads, as a signal may have something to say.
 */
public final class Frame implements AutoCloseable {
    private final Console console;
    private List<String> shown = List.of();
    /** Made for the first lines. */
    private Display display;

    public Frame(Console console) {
        this.console = console;
        console.screen().ifPresent(screen -> screen.bottom(this));
    }

    /** Shows these lines, none of them wider than {@link #room}, instead of those before. */
    public synchronized void show(List<String> lines) {
        if (console.screen().isPresent() && !lines.equals(shown)) {
            clear();
            shown = List.copyOf(lines);
            paint();
        }
    }

    /** Prints a line that stays. */
    public synchronized void print(String line) {
        above(() -> console.print(line));
    }

    /** Takes the lines back while something is printed that stays, to wherever. */
    synchronized void above(Runnable printing) {
        clear();
        printing.run();
        paint();
    }

    /** How wide a line may be: one column less than the terminal, as some wrap a line that fills them. */
    int room() {
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

    /** As JLine displays them: a line without an end would continue in the next one. */
    static List<AttributedString> painted(List<String> lines) {
        List<AttributedString> painted = new ArrayList<>();
        for (String line : lines) {
            painted.add(AttributedString.fromAnsi(painted.size() < lines.size() - 1 ? line + "\n" : line));
        }
        return painted;
    }

    /**
     * On the stream of facts. JLine's own terminal of the process would wait at the end of the program until all is written,
     * which a terminal that was halted by Ctrl-S never takes.
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

    /** Takes the lines back. */
    @Override
    public synchronized void close() {
        clear();
        shown = List.of();
    }
}
