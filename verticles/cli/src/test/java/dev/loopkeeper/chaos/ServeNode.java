package dev.loopkeeper.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.it.LauncherScript;
import dev.loopkeeper.it.SharedClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * A {@code serve} of a test: the jar that failsafe names, or else, in a benchmark, what users start, by the launcher.
 */
class ServeNode {
    private static final Pattern URL = Pattern.compile("\"url\"\\s*:\\s*\"([^\"]+)\"");
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int LAST = 4000;
    /** How {@code serve} ends where nothing has answered for a minute. */
    private static final int TOO_SLOW = 7;

    final String name;
    final Path data;
    private final Path log;
    private final List<String> words;
    private volatile Optional<Process> process = Optional.empty();
    private Optional<String> url = Optional.empty();

    /** @param options of {@code serve}, beside those of port and data folder */
    ServeNode(String name, Path folder, List<String> options) throws IOException {
        this.name = name;
        this.data = folder.resolve(name);
        this.log = folder.resolve(name + ".log");
        words = new ArrayList<>(program());
        words.addAll(List.of("serve", "--port", "0", "--data", data.toString()));
        words.addAll(options);
    }

    private static List<String> program() throws IOException {
        return System.getProperty("loopkeeper.jar") == null ? List.of(LauncherScript.path()) : SharedClasses.program();
    }

    void start() throws IOException {
        forgetUrl();
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        LauncherScript.chooseJava(builder);
        process = Optional.of(builder.start());
    }

    /** Until it serves and has its lease. */
    void awaitLive(HttpClient client) throws IOException, InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!isLive(client)) {
            if (!isAlive() && exit() == TOO_SLOW) {
                // On a machine in use; who starts it would do so again.
                start();
            }
            if (!isAlive() || System.nanoTime() > until) {
                throw new AssertionError(
                        name + (isAlive() ? " does not serve" : " has ended with " + exit()) + ": " + said());
            }
            Thread.sleep(50);
        }
    }

    boolean isLive(HttpClient client) throws InterruptedException {
        Optional<String> known = url();
        if (known.isEmpty()) {
            return false;
        }
        HttpRequest ask = HttpRequest.newBuilder(URI.create(known.get() + "/health/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return client.send(ask, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Where it serves; empty while that is not known. */
    synchronized Optional<String> url() {
        if (url.isEmpty()) {
            try {
                Matcher found = URL.matcher(Files.readString(data.resolve("server.json")));
                url = found.find() ? Optional.of(found.group(1)) : Optional.empty();
            } catch (IOException notYet) {
                return Optional.empty();
            }
        }
        return url;
    }

    boolean isAlive() {
        return process.filter(Process::isAlive).isPresent();
    }

    private int exit() {
        return process.orElseThrow().exitValue();
    }

    long pid() {
        return process.orElseThrow().pid();
    }

    long warden() throws IOException {
        return Long.parseLong(Files.readString(data.resolve("cluster/warden")).strip());
    }

    void kill() throws IOException, InterruptedException {
        process.orElseThrow().destroyForcibly().waitFor();
        forgetUrl();
    }

    private synchronized void forgetUrl() throws IOException {
        Files.deleteIfExists(data.resolve("server.json"));
        url = Optional.empty();
    }

    /** As SIGTERM does it; how long that took, in milliseconds. */
    @CanIgnoreReturnValue
    long end() {
        long begun = System.nanoTime();
        Process running = process.orElseThrow();
        running.destroy();
        try {
            if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(name + " does not end: " + said());
            }
            forgetUrl();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    /** Until it has reported this. */
    void awaitSaid(String words) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(saidAll()).contains(words));
    }

    /** What it reported. */
    String saidAll() throws IOException {
        return Files.exists(log) ? Files.readString(log) : "";
    }

    /** The end of that. */
    String said() throws IOException {
        String all = saidAll();
        return all.substring(Math.max(0, all.length() - LAST));
    }

    /** Everything of it stands still: runtime, warden, guard, launchers, agents. */
    void freeze() {
        for (int round = 0; round < 2; round++) {
            Signals.send("STOP", Signals.of(data));
        }
    }

    void thaw() {
        Signals.send("CONT", Signals.of(data));
    }
}
