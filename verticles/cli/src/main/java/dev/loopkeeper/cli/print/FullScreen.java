package dev.loopkeeper.cli.print;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.NonBlockingReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All of a terminal, its keys one by one, and what was on it before back at the end: also when a signal or a flaw ends the
 * program. The only class that knows JLine, which so is loaded for it alone.
 */
public final class FullScreen implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FullScreen.class);

    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[2J";
    private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST = "\u001b[J";
    /** What follows an escape in a sequence comes with it. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int LONGEST_SEQUENCE = 8;

    private final Console console;
    private final Terminal terminal;
    private final Attributes before;
    private final Thread hook = new Thread(this::restore, "loopkeeper-terminal");
    private final AtomicBoolean restored = new AtomicBoolean();
    private List<String> shown = List.of();

    private FullScreen(Console console, Terminal terminal) {
        this.console = console;
        this.terminal = terminal;
        this.before = terminal.enterRawMode();
    }

    /** Takes the terminal; empty where there is none, or none with keys. */
    public static Optional<FullScreen> open(Console console) {
        if (console.screen().isEmpty()) {
            return Optional.empty();
        }
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .provider("jna")
                    .dumb(false)
                    .nativeSignals(false)
                    .type("ansi")
                    .encoding(StandardCharsets.UTF_8)
                    .build();
            FullScreen screen = new FullScreen(console, terminal);
            // Before anything is painted: from here on every way out leads through it.
            Runtime.getRuntime().addShutdownHook(screen.hook);
            console.out().print(ENTER);
            console.out().flush();
            return Optional.of(screen);
        } catch (IOException | RuntimeException | LinkageError none) {
            LOG.debug("the terminal has no keys", none);
            return Optional.empty();
        }
    }

    /** Shows these lines, no more and none wider than the terminal. */
    public synchronized void show(List<String> lines) {
        if (!restored.get() && !lines.equals(shown)) {
            console.out().print(HOME + String.join(REST_OF_LINE + "\r\n", lines) + REST_OF_LINE + REST);
            console.out().flush();
            shown = List.copyOf(lines);
        }
    }

    /** The next {@link #show} paints all lines. */
    public synchronized void forget() {
        shown = List.of();
    }

    /** The next key; waits for it. {@link Key#LEAVE} when there will be none any more. */
    public Key key() {
        try {
            NonBlockingReader reader = terminal.reader();
            int character = reader.read();
            if (character < 0) {
                return Key.LEAVE;
            }
            return character == Key.ESCAPE ? sequence(reader) : Key.of(character);
        } catch (IOException closed) {
            return Key.LEAVE;
        }
    }

    private static Key sequence(NonBlockingReader reader) throws IOException {
        StringBuilder sequence = new StringBuilder();
        int character = reader.read(SEQUENCE_MILLIS);
        while (character >= 0 && sequence.length() < LONGEST_SEQUENCE) {
            sequence.appendCodePoint(character);
            boolean ends = sequence.length() > 1 && (Character.isLetter(character) || character == '~');
            character = ends ? -1 : reader.read(SEQUENCE_MILLIS);
        }
        return sequence.isEmpty() ? Key.of(Key.ESCAPE) : Key.ofSequence(sequence.toString());
    }

    private synchronized void restore() {
        if (restored.compareAndSet(false, true)) {
            console.out().print(LEAVE);
            console.out().flush();
            terminal.setAttributes(before);
        }
    }

    /** Gives the terminal back as it was. */
    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            LOG.debug("a signal ends this program", ending);
        }
        try {
            terminal.close();
        } catch (IOException gone) {
            LOG.debug("the terminal is gone", gone);
        }
    }
}
