package dev.loopkeeper.cli.print;

import java.io.IOError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.ShutdownHooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The full screen of a terminal, with its keys one by one. The previous content is restored on close, and also when a
 * signal or an error ends the program.
 */
public final class FullScreen implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FullScreen.class);

    /** The characters of an escape sequence arrive within this time. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int LONGEST_SEQUENCE = 8;

    private final Terminal terminal;
    private final Display display;
    /** Runs after JLine's own shutdown hook, which restores the attributes of the terminal. */
    private final ShutdownHooks.Task hook = this::leave;

    private List<String> shown = List.of();
    private boolean left;

    private FullScreen(Terminal terminal) {
        this.terminal = terminal;
        this.display = new Display(terminal, true);
    }

    /** Opens the full screen; empty if there is no terminal or it delivers no keys. */
    public static Optional<FullScreen> open(Console console) {
        if (console.screen().isEmpty()) {
            return Optional.empty();
        }
        try {
            // Leaves the JVM's own signal handlers in place, which end the program.
            FullScreen screen = new FullScreen(TerminalBuilder.builder()
                    .system(true)
                    .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
                    .type(Screen.type(console))
                    .dumb(false)
                    .stdinEncoding(StandardCharsets.UTF_8)
                    .stdoutEncoding(StandardCharsets.UTF_8)
                    .nativeSignals(false)
                    .build());
            screen.enter();
            return Optional.of(screen);
        } catch (IOException | IOError | IllegalStateException none) {
            LOG.debug("the terminal has no keys", none);
            return Optional.empty();
        }
    }

    private synchronized void enter() {
        terminal.enterRawMode();
        Attributes keys = terminal.getAttributes();
        // Ctrl-\ and Ctrl-Z would leave the terminal in raw mode.
        keys.setControlChar(ControlChar.VQUIT, 0);
        keys.setControlChar(ControlChar.VSUSP, 0);
        terminal.setAttributes(keys);
        ShutdownHooks.add(hook);
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        display.clear();
    }

    /** Shows these lines; there may be no more of them, and none wider, than {@code size} has. */
    public synchronized void show(List<String> lines, Screen.Size size) {
        if (!left && !lines.equals(shown)) {
            display.resize(size.rows(), size.columns());
            // JLine measures some signs of two columns, e.g. a green tick, as one. So a changed line is repainted from
            // its beginning.
            display.update(painted(unchanged(lines)), 0, false);
            display.update(painted(lines), 0);
            shown = List.copyOf(lines);
        }
    }

    private List<String> unchanged(List<String> lines) {
        List<String> kept = new ArrayList<>();
        for (int row = 0; row < lines.size(); row++) {
            boolean same = row < shown.size() && lines.get(row).equals(shown.get(row));
            kept.add(same ? lines.get(row) : "");
        }
        return kept;
    }

    /** Converts lines to those of JLine, which would join a line without a line end with the next one. */
    private static List<AttributedString> painted(List<String> lines) {
        List<AttributedString> painted = new ArrayList<>();
        for (String line : lines) {
            painted.add(AttributedString.fromAnsi(painted.size() < lines.size() - 1 ? line + "\n" : line));
        }
        return painted;
    }

    /** Makes the next {@link #show} repaint all lines. */
    public synchronized void forget() {
        display.clear();
        shown = List.of();
    }

    /** Waits for the next key and returns it. */
    public KeyPress key() {
        try {
            int character = terminal.reader().read();
            if (character < 0) {
                return KeyPress.END;
            }
            return character == Key.ESCAPE ? sequence() : KeyPress.of(character);
        } catch (IOException closed) {
            return KeyPress.END;
        }
    }

    private KeyPress sequence() throws IOException {
        StringBuilder sequence = new StringBuilder();
        boolean ends = false;
        while (!ends) {
            int character = terminal.reader().read(SEQUENCE_MILLIS);
            if (character >= 0) {
                sequence.append((char) character);
            }
            ends = character < 0
                    || sequence.length() == LONGEST_SEQUENCE
                    || (sequence.length() > 1 && (Character.isLetter(character) || character == '~'));
        }
        return sequence.isEmpty() ? KeyPress.of(Key.ESCAPE) : new KeyPress(Key.ofSequence(sequence.toString()), 0);
    }

    private synchronized void leave() {
        if (!left) {
            left = true;
            terminal.puts(Capability.exit_attribute_mode);
            terminal.puts(Capability.cursor_normal);
            terminal.puts(Capability.exit_ca_mode);
            terminal.flush();
        }
    }

    /** Restores the terminal. */
    @Override
    public void close() {
        leave();
        ShutdownHooks.remove(hook);
        try {
            terminal.close();
        } catch (IOException gone) {
            LOG.debug("the terminal is gone", gone);
        }
    }
}
