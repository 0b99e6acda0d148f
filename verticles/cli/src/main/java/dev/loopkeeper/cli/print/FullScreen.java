package dev.loopkeeper.cli.print;

import dev.loopkeeper.work.LibC;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All of a terminal, its keys one by one, and what was on it before back at the end: also when a signal or a flaw ends the
 * program. By the C library itself: what JLine 3.30 gives back by JNA lacks a flag, {@code IEXTEN}.
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

    /** More than any system needs. */
    private static final int ATTRIBUTES = 256;

    private static final int AT_ONCE = 0;

    /** Offsets in the attributes of Linux: the flags of input and of what keys do, the characters that are keys. */
    private static final int INPUT = 0;

    private static final int LOCAL = 12;
    private static final int CHARACTERS = 17;

    /** A return stays one, and no key stops the output. */
    private static final int NOT_OF_INPUT = 0x40 | 0x100 | 0x400;

    /** Keys come one by one, are not shown and do nothing more; that Ctrl-C interrupts stays. */
    private static final int NOT_LOCAL = 0x2 | 0x8 | 0x8000;

    /** Ctrl-\ and Ctrl-Z, which would leave the terminal as it is, do nothing; one byte is enough to be read. */
    private static final int QUIT = CHARACTERS + 1;

    private static final int TIME = CHARACTERS + 5;
    private static final int LEAST = CHARACTERS + 6;
    private static final int SUSPEND = CHARACTERS + 10;

    private final Console console;
    private final byte[] before;
    private final InputStream keys = new FileInputStream(FileDescriptor.in);
    private final Thread hook = new Thread(this::restore, "loopkeeper-terminal");
    private final AtomicBoolean restored = new AtomicBoolean();
    private List<String> shown = List.of();

    private FullScreen(Console console, byte... before) {
        this.console = console;
        this.before = before;
    }

    /** Takes the terminal; empty where there is none, or none with keys. */
    public static Optional<FullScreen> open(Console console) {
        try {
            byte[] attributes = new byte[ATTRIBUTES];
            if (console.screen().isEmpty() || LibC.get().tcgetattr(0, attributes) != 0) {
                return Optional.empty();
            }
            FullScreen screen = new FullScreen(console, attributes);
            // Before anything is changed: from here on every way out leads through it.
            Runtime.getRuntime().addShutdownHook(screen.hook);
            screen.enter();
            return Optional.of(screen);
        } catch (LinkageError none) {
            LOG.debug("the C library cannot be called", none);
            return Optional.empty();
        }
    }

    private synchronized void enter() {
        if (LibC.get().tcsetattr(0, AT_ONCE, keyByKey(before)) != 0) {
            LOG.debug("keys come line by line");
        }
        console.out().print(ENTER);
        console.out().flush();
    }

    /** Attributes of a terminal that hands on each key. */
    private static byte[] keyByKey(byte... attributes) {
        byte[] raw = attributes.clone();
        ByteBuffer flags = ByteBuffer.wrap(raw).order(ByteOrder.nativeOrder());
        flags.putInt(INPUT, flags.getInt(INPUT) & ~NOT_OF_INPUT);
        flags.putInt(LOCAL, flags.getInt(LOCAL) & ~NOT_LOCAL);
        raw[QUIT] = 0;
        raw[SUSPEND] = 0;
        raw[TIME] = 0;
        raw[LEAST] = 1;
        return raw;
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
            int character = keys.read();
            if (character < 0) {
                return Key.LEAVE;
            }
            return character == Key.ESCAPE ? sequence() : Key.of(character);
        } catch (IOException closed) {
            return Key.LEAVE;
        }
    }

    private Key sequence() throws IOException {
        StringBuilder sequence = new StringBuilder();
        boolean ends = false;
        while (!ends && sequence.length() < LONGEST_SEQUENCE && isThere()) {
            int character = keys.read();
            sequence.append((char) character);
            ends = character < 0 || (sequence.length() > 1 && (Character.isLetter(character) || character == '~'));
        }
        return sequence.isEmpty() ? Key.of(Key.ESCAPE) : Key.ofSequence(sequence.toString());
    }

    /** Whether more comes at once. */
    private boolean isThere() throws IOException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SEQUENCE_MILLIS);
        while (keys.available() == 0 && System.nanoTime() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return keys.available() > 0;
    }

    private synchronized void restore() {
        if (restored.compareAndSet(false, true)) {
            console.out().print(LEAVE);
            console.out().flush();
            if (LibC.get().tcsetattr(0, AT_ONCE, before) != 0) {
                LOG.debug("the terminal is gone");
            }
        }
    }

    /** Gives the terminal back as it was. */
    @Override
    public void close() {
        restore();
        try {
            if (!Runtime.getRuntime().removeShutdownHook(hook)) {
                LOG.debug("it was given back before");
            }
        } catch (IllegalStateException ending) {
            LOG.debug("a signal ends this program", ending);
        }
    }
}
