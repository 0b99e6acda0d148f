package dev.loopkeeper.it;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.impl.jna.JnaNativePty;
import org.jline.terminal.impl.jna.JnaTerminalProvider;

/** The real program on a pseudo-terminal of its own, as in a window. */
final class Tty implements AutoCloseable {
    private final JnaNativePty pty;
    private final Attributes before;
    private final Process process;
    private final Thread reading;
    final VirtualScreen screen;

    private Tty(JnaNativePty pty, Process process, VirtualScreen screen) throws IOException {
        this.pty = pty;
        this.before = pty.getAttr();
        this.process = process;
        this.screen = screen;
        Reader output = new InputStreamReader(pty.getMasterInput(), StandardCharsets.UTF_8);
        this.reading = new Thread(() -> read(output, screen), "test-terminal");
        reading.setDaemon(true);
        reading.start();
    }

    static Tty start(int columns, int rows, Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        JnaNativePty pty = JnaNativePty.open(new JnaTerminalProvider(), null, new Size(columns, rows));
        // In a session of its own with this terminal, so that its keys and its size reach this program alone.
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                "--ctty",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                System.getProperty("loopkeeper.jar")));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        java.io.File slave = new java.io.File(pty.getName());
        builder.redirectInput(slave).redirectOutput(slave).redirectError(slave);
        builder.environment().remove("NO_COLOR");
        builder.environment().put("TERM", "xterm");
        builder.environment().putAll(environment);
        return new Tty(pty, builder.start(), new VirtualScreen(columns, rows));
    }

    private static void read(Reader output, VirtualScreen screen) {
        try {
            for (int letter = output.read(); letter >= 0; letter = output.read()) {
                screen.write((char) letter);
            }
        } catch (IOException closed) {
            return; // as on every terminal whose window was closed
        }
    }

    /** Waits until all of this is to be seen at once. */
    void awaitText(String... texts) {
        Awaitility.await().untilAsserted(() -> org.assertj.core.api.Assertions.assertThat(screen.text())
                .contains(texts));
    }

    void type(String keys) throws IOException {
        pty.getMasterOutput().write(keys.getBytes(StandardCharsets.UTF_8));
        pty.getMasterOutput().flush();
    }

    void resize(int columns, int rows) throws IOException {
        screen.resize(columns, rows);
        pty.setSize(new Size(columns, rows));
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
        Attributes now = pty.getAttr();
        return now.getLocalFlags().equals(before.getLocalFlags())
                && now.getInputFlags().equals(before.getInputFlags())
                && now.getOutputFlags().equals(before.getOutputFlags());
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        pty.close();
    }
}
