package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The real program, as a user starts it: the shaded jar in a JVM of its own. */
final class Program implements AutoCloseable {
    /** What a finished command left. */
    record Result(int exitCode, String stdout, String stderr) {}

    private static final long PATIENCE_SECONDS = 180;

    private final Process process;
    private final Path stdout;
    private final Path stderr;

    private Program(Process process, Path stdout, Path stderr) {
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    static Program start(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        return start(List.of(), folder, environment, arguments);
    }

    /** Under a program that executes it in its own place, e.g. one that traces it. */
    static Program start(List<String> tracer, Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(tracer);
        command.addAll(SharedClasses.program());
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "stdout", ".txt");
        Path err = Files.createTempFile(folder, "stderr", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        return new Program(builder.start(), out, err);
    }

    /** A server on this data folder and a free port. */
    static Program serve(Path folder, Path data) throws IOException {
        return start(folder, Map.of(), "serve", "--port", "0", "--data", data.toString());
    }

    /** Runs a command to its end. */
    static Result run(Path folder, String... arguments) throws IOException, InterruptedException {
        try (Program program = start(folder, Map.of(), arguments)) {
            return program.join();
        }
    }

    Result join() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + PATIENCE_SECONDS + " s: " + output());
        }
        return new Result(process.exitValue(), Files.readString(stdout), Files.readString(stderr));
    }

    /** Whether it exited on its own within this time. */
    boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** kill -9, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Another signal, e.g. {@code STOP}. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** The first line on stdout, once it is there. */
    String firstLine() {
        try (BufferedReader lines = Files.newBufferedReader(stdout, StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            return line == null ? "" : line;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    String output() throws IOException {
        return Files.readString(stdout) + Files.readString(stderr);
    }

    /** Waits until it is gone: it writes nothing into a folder that is being removed. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
