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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The files of a node's lease and the process beside its runtime that goes by them. Blocking; its methods one after the
 * other.
 */
final class Warden implements Closeable {
    private static final int SIGNAL_SECONDS = 20;
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Path data;
    private final Path folder;
    private Optional<Process> process = Optional.empty();
    /** Open for as long as the runtime lives. */
    private Optional<RandomAccessFile> fate = Optional.empty();

    Warden(Path data) {
        this.data = data;
        this.folder = data.resolve("cluster");
    }

    /** Writes its scripts, and answers that of the gate. */
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

    /** Whether there is a place for the lease: somebody may have removed the data folder of a node at work. */
    boolean hasPlace() {
        return Files.isDirectory(folder);
    }

    /** Fails where there is no place for the lease, or nothing can be written in it. */
    void prove() throws IOException {
        if (!hasPlace()) {
            throw new NoSuchFileException(folder.toString());
        }
        Optional<LeaseFile> known = lease();
        if (known.isPresent()) {
            write(known.get());
        }
    }

    /** Starts it and answers when it watches. An earlier one leaves everything to it. */
    Process start() throws IOException {
        if (!hasPlace()) {
            throw new NoSuchFileException(folder.toString());
        }
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(words("watch"));
        Process started = builder(words).start();
        try (BufferedReader said = started.inputReader(StandardCharsets.US_ASCII)) {
            if (!"watching".equals(said.readLine())) {
                started.destroyForcibly();
                throw new IOException("the warden cannot be started; it needs setsid, mkfifo and grep in " + PATH
                        + " and a folder that can be written: " + Files.readString(folder.resolve("warden.log")));
            }
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
        // Nothing of a runtime's environment may make a warden look like what it ends.
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", PATH);
        environment.put("LC_ALL", "C");
        return builder.directory(Path.of("/").toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectError(
                        hasPlace()
                                ? ProcessBuilder.Redirect.to(
                                        folder.resolve("warden.log").toFile())
                                : ProcessBuilder.Redirect.DISCARD);
    }

    /**
     * Sends this signal to the node's processes, {@code 0} for none, and answers how many there are. Needs nothing of the
     * data folder: they have to end also where that is gone.
     */
    int signal(String name) throws IOException {
        String script = new String(content("warden.sh"), StandardCharsets.UTF_8);
        List<String> words = words(List.of("/bin/sh", "-c", script, "warden.sh"), "end");
        words.add(name);
        Process asked = builder(words).start();
        try (BufferedReader said = asked.inputReader(StandardCharsets.US_ASCII)) {
            String count = said.readLine();
            if (count == null || !asked.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS)) {
                asked.destroyForcibly();
                throw new IOException("the node's processes cannot be counted");
            }
            return Integer.parseInt(count.strip());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** What an earlier runtime, or this one, has left for the others. */
    Optional<LeaseFile> lease() throws IOException {
        Path file = folder.resolve("lease");
        return Files.exists(file) ? LeaseFile.parse(Files.readString(file)) : Optional.empty();
    }

    void write(LeaseFile lease) throws IOException {
        AtomicFile.replace(folder.resolve("lease"), lease.text().getBytes(StandardCharsets.US_ASCII));
    }

    /** Why processes were ended since {@link #forgetEnded}; empty when none were. */
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

    /** There is nothing to watch any more. */
    void dismiss() throws IOException {
        Files.deleteIfExists(folder.resolve("warden"));
        process.ifPresent(Process::destroy);
    }

    /** Lets go of what only a living runtime holds; the warden watches on. */
    @Override
    public void close() throws IOException {
        if (fate.isPresent()) {
            fate.get().close();
        }
    }
}
