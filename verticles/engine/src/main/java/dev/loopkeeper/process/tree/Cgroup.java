package dev.loopkeeper.process.tree;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A step's own control group (version 2), where the system lets us make one: it also holds what has cleared its
 * environment, left its session and lost its parents. Blocking; a group that cannot be made is as if there
 * were none, one that cannot be read is unknown.
 */
public record Cgroup(Path path) {
    private static final String OWN = "0::";

    /** Where this process may make groups, or nothing. */
    public static Optional<Path> base() {
        try {
            Optional<Path> mount = mount();
            Optional<String> own = Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                    .filter(line -> line.startsWith(OWN))
                    .findFirst();
            return mount.flatMap(root -> own.map(line ->
                            root.resolve(line.substring(OWN.length() + 1)).normalize()))
                    .filter(Cgroup::usable);
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    private static Optional<Path> mount() throws IOException {
        try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
            return mounts.map(line -> line.split(" ", -1))
                    .filter(fields -> fields.length > 2 && fields[2].equals("cgroup2"))
                    .map(fields -> Path.of(fields[1]))
                    .findFirst();
        }
    }

    private static boolean usable(Path base) {
        Cgroup probe = new Cgroup(
                base.resolve("loopkeeper-probe-" + ProcessHandle.current().pid()));
        boolean made = probe.make() && Files.isWritable(probe.path.resolve("cgroup.kill"));
        return probe.remove() && made;
    }

    /** Whether it is there now. */
    public boolean make() {
        try {
            Files.createDirectories(path);
            return Files.isWritable(path.resolve("cgroup.procs"));
        } catch (IOException refused) {
            return false;
        }
    }

    /** The pids in it; empty when it is gone. Throws {@link UncheckedIOException} when that cannot be told. */
    Set<Long> members() {
        try {
            String pids = content("cgroup.procs");
            return pids.isEmpty() ? Set.of() : pids.lines().map(Long::valueOf).collect(Collectors.toUnmodifiableSet());
        } catch (IOException failed) {
            if (Files.notExists(path) || deserted()) {
                return Set.of();
            }
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether nobody is in it or in a group below it; false when that cannot be told. */
    boolean deserted() {
        try {
            return content("cgroup.events").lines().anyMatch("populated 0"::equals);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Each step's end reads some of it: by a stream, which costs half of what {@link Files} does. */
    private String content(String file) throws IOException {
        try (FileInputStream stream = new FileInputStream(path + "/" + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Sends KILL to everyone in it at once, so that nobody can fork out of it. False when it is gone. */
    boolean kill() {
        try {
            Files.writeString(path.resolve("cgroup.kill"), "1", StandardOpenOption.WRITE);
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Removes it once it is empty. False when it is not, or was not there. */
    public boolean remove() {
        try {
            return Files.deleteIfExists(path);
        } catch (IOException inUse) {
            return false;
        }
    }
}
