package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The real program on a pseudo-terminal of its own, as in a window. */
final class Tty implements AutoCloseable {
    private final Pty pty;
    private final byte[] before;
    private final Process process;
    private final Thread reading;
    final VirtualScreen screen;

    private Tty(Pty pty, byte[] before, Process process, VirtualScreen screen) {
        this.pty = pty;
        this.before = before;
        this.process = process;
        this.screen = screen;
        this.reading = new Thread(() -> read(pty, screen), "test-terminal");
        reading.setDaemon(true);
        reading.start();
    }

    static Tty start(int columns, int rows, Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Pty pty = new Pty(columns, rows);
        byte[] before = pty.flags();
        // In a session of its own with this terminal, so that its keys and its size reach this program alone. Whatever
        // a
        // shell starts in the background ignores Ctrl-C, and so would this program as a grandchild of it.
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "terminal=$1; shift; exec env --default-signal=INT setsid --ctty \"$@\" <\"$terminal\" >\"$terminal\" 2>&1",
                "sh",
                pty.name()));
        command.addAll(SharedClasses.program());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().remove("NO_COLOR");
        builder.environment().put("TERM", "xterm");
        builder.environment().putAll(environment);
        return new Tty(pty, before, builder.start(), new VirtualScreen(columns, rows));
    }

    private static void read(Pty pty, VirtualScreen screen) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
        ByteBuffer bytes = ByteBuffer.allocate(1 << 14);
        CharBuffer letters = CharBuffer.allocate(1 << 14);
        for (byte[] part = pty.read(); part.length > 0; part = pty.read()) {
            decoder.decode(bytes.put(part).flip(), letters, false);
            bytes.compact();
            letters.flip();
            while (letters.hasRemaining()) {
                screen.write(letters.get());
            }
            letters.clear();
        }
    }

    /** Waits until all of this is to be seen at once. */
    void awaitText(String... texts) {
        Awaitility.await().untilAsserted(() -> assertThat(screen.text()).contains(texts));
    }

    void type(String keys) throws IOException {
        pty.type(keys);
    }

    void resize(int columns, int rows) throws IOException {
        screen.resize(columns, rows);
        pty.resize(columns, rows);
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** The exit code, once it has ended. */
    int join() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + screen.text());
        }
        return process.exitValue();
    }

    /** Whether keys are lines and are shown again, as before the program came. */
    boolean isAsBefore() throws IOException {
        return Arrays.equals(before, pty.flags());
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        pty.hangUp();
        try {
            reading.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        pty.close();
    }
}
