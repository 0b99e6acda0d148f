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
 * A step's own control group (version 2), if the system permits one. It also contains processes that cleared their
 * environment, left their session and lost their parents. Blocks. A group that cannot be created is treated as absent;
 * one that cannot be read is unknown.
 */
public record Cgroup(Path path) {
    private static final String OWN = "0::";

    /** Returns where this process may create groups; empty if nowhere. */
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

    /** Creates the group. Returns whether it exists. */
    public boolean make() {
        try {
            Files.createDirectories(path);
            return Files.isWritable(path.resolve("cgroup.procs"));
        } catch (IOException refused) {
            return false;
        }
    }

    /** Returns the pids in it; empty if it was removed. Throws {@link UncheckedIOException} if they are unknown. */
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

    /** Returns whether no process is in it or in a group below it; false if that is unknown. */
    boolean deserted() {
        try {
            return content("cgroup.events").lines().anyMatch("populated 0"::equals);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Each step's end reads some of it; a stream costs half of what {@link Files} does. */
    private String content(String file) throws IOException {
        try (FileInputStream stream = new FileInputStream(path + "/" + file)) {
            return new String(stream.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Sends KILL to all its processes at once, so that none can escape by forking. Returns false if it was removed. */
    boolean kill() {
        try {
            Files.writeString(path.resolve("cgroup.kill"), "1", StandardOpenOption.WRITE);
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Removes the group if it is empty. Returns false if it is not, or did not exist. */
    public boolean remove() {
        try {
            return Files.deleteIfExists(path);
        } catch (IOException inUse) {
            return false;
        }
    }
}
