package dev.loopkeeper.cluster;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.ownership.LeaseFile;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Manages the lease file of a node and its warden: a process that ends the node's processes after the deadline in the
 * file. Blocks; not for concurrent use.
 */
final class Warden implements Closeable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int TICK_MILLIS = 10;
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Path data;
    private final Path folder;
    private final Duration limit;
    private Optional<Process> process = Optional.empty();
    /** Open while the runtime is alive; the warden notices when it closes. */
    private Optional<RandomAccessFile> fate = Optional.empty();

    Warden(Path data) {
        this(data, LIMIT);
    }

    /** @param limit of the wait for the first line of a script */
    Warden(Path data, Duration limit) {
        this.data = data;
        this.limit = limit;
        this.folder = data.resolve("cluster");
    }

    /** Returns the data folder. */
    Path data() {
        return data;
    }

    /** Writes both scripts and returns the gate's path. */
    Path install() throws IOException {
        Files.createDirectories(folder);
        script("warden.sh");
        return script("gate.sh");
    }

    @CanIgnoreReturnValue
    private Path script(String name) throws IOException {
        Path file = folder.resolve(name);
        AtomicFile.replace(file, content(name));
        return file;
    }

    private static byte[] content(String name) throws IOException {
        try (InputStream content = Warden.class.getResourceAsStream(name)) {
            if (content == null) {
                throw new IOException("resource " + name + " is missing");
            }
            return content.readAllBytes();
        }
    }

    /** Returns whether the folder of the lease exists; it may have been deleted while the node is active. */
    boolean hasFolder() {
        return Files.isDirectory(folder);
    }

    /** Fails if the folder of the lease is missing or cannot be written. */
    void prove() throws IOException {
        if (!hasFolder()) {
            throw new NoSuchFileException(folder.toString());
        }
        Optional<LeaseFile> known = lease();
        if (known.isPresent()) {
            write(known.get());
        }
    }

    /** Starts a warden and returns when it watches. An earlier warden then ends. */
    Process start() throws IOException {
        if (!hasFolder()) {
            throw new NoSuchFileException(folder.toString());
        }
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(words("watch"));
        Process started = builder(words).start();
        if (!firstLine(started).equals(Optional.of("watching"))) {
            kill(started);
            throw new IOException("the warden cannot be started; it needs setsid, mkfifo and grep in " + PATH
                    + " and a writable folder: " + Files.readString(folder.resolve("warden.log")));
        }
        Optional<RandomAccessFile> former = fate;
        fate = Optional.of(new RandomAccessFile(folder.resolve("fate").toFile(), "rw"));
        process = Optional.of(started);
        if (former.isPresent()) {
            former.get().close();
        }
        return started;
    }

    private List<String> words(String role) {
        return words(List.of("/bin/sh", folder.resolve("warden.sh").toString()), role);
    }

    private List<String> words(List<String> shell, String role) {
        List<String> words = new ArrayList<>(shell);
        words.addAll(List.of(
                role,
                folder.toString(),
                data.toString(),
                Long.toString(ProcessHandle.current().pid())));
        return words;
    }

    private ProcessBuilder builder(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        // The warden finds agents by their environment, so it must not inherit the runtime's.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", PATH);
        environment.put("LC_ALL", "C");
        return builder.directory(Path.of("/").toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(
                        hasFolder()
                                ? ProcessBuilder.Redirect.to(
                                        folder.resolve("warden.log").toFile())
                                : ProcessBuilder.Redirect.DISCARD);
    }

    /**
     * Sends a signal to the node's processes, {@code 0} for none, and returns how many there are. Works without the
     * data folder.
     */
    int signal(String name) throws IOException {
        String script = new String(content("warden.sh"), StandardCharsets.UTF_8);
        List<String> words = words(List.of("/bin/sh", "-c", script, "warden.sh"), "end");
        words.add(name);
        Process asked = builder(words).start();
        Optional<String> count = firstLine(asked);
        if (count.isEmpty()) {
            kill(asked);
            throw new IOException("the node's processes cannot be counted");
        }
        return Integer.parseInt(count.get().strip());
    }

    /** Returns the first line of the script; empty if the script ends without one or prints none within the limit. */
    private Optional<String> firstLine(Process script) throws IOException {
        long begun = System.nanoTime();
        try (BufferedReader output = script.inputReader(StandardCharsets.US_ASCII)) {
            // A read has no limit, so it begins when there is something to read: a line, or the end of the script.
            while (!output.ready() && !script.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - begun > limit.toNanos()) {
                    return Optional.empty();
                }
            }
            return Optional.ofNullable(output.readLine());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private static void kill(Process script) {
        script.descendants().forEach(ProcessHandle::destroyForcibly);
        script.destroyForcibly();
    }

    /** Reads the lease file of this or an earlier runtime. */
    Optional<LeaseFile> lease() throws IOException {
        Path file = folder.resolve("lease");
        return Files.exists(file) ? LeaseFile.parse(Files.readString(file)) : Optional.empty();
    }

    void write(LeaseFile lease) throws IOException {
        AtomicFile.replace(folder.resolve("lease"), lease.text().getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns why the warden has ended processes since {@link #forgetEnded}; empty if it has ended none. */
    Optional<String> ended() {
        Path note = folder.resolve("ended");
        try {
            return Optional.of(Files.readString(note).strip());
        } catch (NoSuchFileException nothing) {
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(unreadable.toString());
        }
    }

    void forgetEnded() throws IOException {
        Files.deleteIfExists(folder.resolve("ended"));
    }

    /** Ends the warden, which has nothing to watch. */
    void dismiss() throws IOException {
        Files.deleteIfExists(folder.resolve("warden"));
        process.ifPresent(Process::destroy);
    }

    /** Closes what only a living runtime holds open; the warden continues. */
    @Override
    public void close() throws IOException {
        if (fate.isPresent()) {
            fate.get().close();
        }
    }
}
