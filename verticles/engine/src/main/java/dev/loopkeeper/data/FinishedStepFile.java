package dev.loopkeeper.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code step.txt} in the folder of a step that is over: its small files, byte for byte, each below a line with its name
 * and length, e.g. {@code ==> exit.json, 31 bytes <==}. Logs, the signal and the context stay files. Blocking.
 */
final class FinishedStepFile {
    private static final String FILE = "step.txt";
    private static final String EXIT = "exit.json";
    private static final String PREPARED_AT = "signal-prepared-at";

    /** The files in the order in which people read them. */
    private static final List<String> SMALL_FILES = List.of(
            StepFiles.REQUEST,
            StepFiles.CLAIM,
            "launch.json",
            EXIT,
            "stop.json",
            "ran.json",
            "sandbox.json",
            "exec-failed",
            "runtime-died",
            PREPARED_AT,
            "leftover-signal.json",
            "prompt.md");

    /** Processes that a later stop ends by the step's notes. */
    private static final List<String> LEFT_ALIVE = List.of("survivors.json", "members.json");

    /** A larger file stays: it takes more than a block or two of the disk anyway. */
    private static final int MOST_BYTES = 16 << 10;

    private static final int MOST_OF_ALL = SMALL_FILES.size() * (MOST_BYTES + 100);
    private static final Pattern HEAD = Pattern.compile("==> ([a-z.-]{1,40}), (\\d{1,6}) bytes <==\n");

    private final Path folder;

    FinishedStepFile(Path folder) {
        this.folder = folder;
    }

    /** Whether there is one. */
    boolean exists() {
        return Files.exists(folder.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Content of a file; absent where the summary does not have it. */
    Optional<byte[]> find(String file) throws IOException {
        return Optional.ofNullable(read().get(file));
    }

    /** Whether the agent ended or was never launched, and its small files or some of them still lie apart. */
    boolean isPending() {
        return isRequested()
                ? Files.exists(folder.resolve(EXIT)) || exists()
                : Files.exists(folder.resolve(PREPARED_AT));
    }

    private boolean wasNeverLaunched() {
        return !isRequested() && !exists() && Files.exists(folder.resolve(PREPARED_AT));
    }

    private boolean isRequested() {
        return Files.exists(folder.resolve(StepFiles.REQUEST));
    }

    /** Removes the folder of a step that was never launched, unless it holds a signal that lay in the way. */
    void removeUnlaunched() throws IOException {
        if (!wasNeverLaunched() || !Files.deleteIfExists(folder.resolve(PREPARED_AT))) {
            return;
        }
        try {
            Files.delete(folder);
        } catch (DirectoryNotEmptyException kept) {
            // An earlier signal was moved there.
        }
    }

    /**
     * Writes the summary, then removes empty logs and the files that are in it, {@code request.json} last. A crash in
     * between leaves files that are in the summary too, and {@link #isPending}. Does nothing while processes of the step are
     * left, and where the step was never launched {@link #removeUnlaunched}.
     *
     * @param soleLauncher whether no second launcher was ever started for the step. A second one may still run, and then
     *     only {@code claim.json} keeps it from launching the agent again
     */
    void write(boolean soleLauncher) throws IOException {
        for (String processes : LEFT_ALIVE) {
            if (Files.exists(folder.resolve(processes))) {
                return;
            }
        }
        if (wasNeverLaunched()) {
            removeUnlaunched();
            return;
        }
        Map<String, byte[]> parts = new LinkedHashMap<>(read());
        List<String> found = new ArrayList<>();
        for (String name : SMALL_FILES) {
            bytes(name, MOST_BYTES).ifPresent(bytes -> {
                parts.put(name, bytes);
                found.add(name);
            });
        }
        AtomicFile.replace(folder.resolve(FILE), text(parts));
        if (!soleLauncher || !parts.containsKey(EXIT)) {
            found.remove(StepFiles.CLAIM);
        }
        new LogFile(folder, "stdout").removeIfEmpty();
        new LogFile(folder, "stderr").removeIfEmpty();
        found.sort(Comparator.comparing(StepFiles.REQUEST::equals));
        for (String name : found) {
            Files.deleteIfExists(folder.resolve(name));
        }
    }

    private static byte[] text(Map<String, byte[]> parts) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        parts.forEach((name, bytes) -> {
            String head = "==> " + name + ", " + bytes.length + " bytes <==\n";
            text.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
            text.writeBytes(bytes);
            text.write('\n');
        });
        return text.toByteArray();
    }

    /** Parts by name, up to the first one that is malformed. */
    private Map<String, byte[]> read() throws IOException {
        byte[] all = bytes(FILE, MOST_OF_ALL).orElseGet(() -> new byte[0]);
        // A character for each byte, so that lengths are those of the file.
        Matcher head = HEAD.matcher(new String(all, StandardCharsets.ISO_8859_1));
        Map<String, byte[]> parts = new LinkedHashMap<>();
        int at = 0;
        while (at < all.length && head.region(at, all.length).lookingAt()) {
            int end = head.end() + Integer.parseInt(head.group(2));
            if (end >= all.length || !SMALL_FILES.contains(head.group(1))) {
                break;
            }
            parts.put(head.group(1), Arrays.copyOfRange(all, head.end(), end));
            at = end + 1;
        }
        return parts;
    }

    /** Absent where there is no such file, and for a larger one. */
    private Optional<byte[]> bytes(String name, int most) throws IOException {
        Path file = folder.resolve(name);
        try {
            BasicFileAttributes facts =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return facts.isRegularFile() && facts.size() <= most
                    ? Optional.of(Files.readAllBytes(file))
                    : Optional.empty();
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }
}
