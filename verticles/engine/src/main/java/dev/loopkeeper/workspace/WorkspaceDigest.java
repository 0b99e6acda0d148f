package dev.loopkeeper.workspace;

import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.step.ProtectedFiles;
import dev.loopkeeper.step.ProtectedFiles.State;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.work.BoundedMap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A hash of what a workspace contains: the same for the same commit, names, types, owner's right to execute and contents.
 * Which files count is up to {@link WorkspaceFiles}. A file is read only when its {@link FileFacts} are not those with
 * which it was read before. The largest files beyond a limit, and unreadable ones, are compared by size and time only.
 * Blocking; thread-safe.
 */
final class WorkspaceDigest {
    /**
     * Beyond the coarsest clock of a file system (2 s). A file that changed this shortly before the look may change once
     * more without a change of its facts, so the next scan reads it again.
     */
    private static final Duration TICK = Duration.ofSeconds(2);

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MOST_HASHES = 200_000;
    private static final int MOST_INDEXES = 100;

    /**
     * The result of a scan.
     *
     * @param hash in hex
     * @param files how many count
     * @param read how many of them were read
     * @param unread how many count by size and time
     */
    record Taken(String hash, int files, int read, int unread) {}

    /**
     * The bounds of a scan.
     *
     * @param bytes of content, the smallest files first; the files beyond it are the same at each look
     * @param time after which what is not read counts by size and time as well
     */
    record Limits(long bytes, Duration time) {
        static final Limits DEFAULTS = new Limits(256 << 20, Duration.ofSeconds(10));
        static final Limits OF_PROTECTED = new Limits(1 << 30, Duration.ofMinutes(1));
    }

    private final Clock clock;
    private final Limits limits;
    private final GitProgram git;
    private final Map<FileFacts, byte[]> hashes = Collections.synchronizedMap(BoundedMap.byUse(MOST_HASHES));
    private final Map<FileFacts, List<byte[]>> unseen = Collections.synchronizedMap(BoundedMap.byUse(MOST_INDEXES));

    WorkspaceDigest(Clock clock, Limits limits, String git) {
        this.clock = clock;
        this.limits = limits;
        this.git = new GitProgram(git);
    }

    /**
     * Fails if a part of the workspace cannot be read.
     *
     * @param data left out where it lies in the workspace
     * @param confinement words before git
     */
    Taken take(Path workspace, Path data, List<String> confinement) throws IOException {
        Path root = workspace.toRealPath();
        long settled = settled();
        Map<String, WorkspaceFiles.Found> files =
                new WorkspaceFiles(root, data, git(confinement), unseen, Optional.empty()).find();
        Map<String, byte[]> contents = new HashMap<>();
        int read = read(files, contents, settled);
        long readable =
                files.values().stream().filter(WorkspaceDigest::hasContent).count();
        return new Taken(hash(files, contents), files.size(), read, (int) readable - contents.size());
    }

    /**
     * The protected files of a workspace, by escaped name.
     *
     * @param rules of its repositories when they were found first
     */
    record Guarded(Map<String, State> files, Map<String, IgnoreRules> rules) {}

    /**
     * Returns the states of protected files; none without a workspace.
     *
     * @param before of which names and rules still count
     * @param git see {@link #git}
     */
    Guarded states(Path workspace, Path data, ProtectedFiles only, Optional<Guarded> before, GitProgram git)
            throws IOException {
        if (!Files.isDirectory(workspace)) {
            return new Guarded(Map.of(), Map.of());
        }
        long settled = settled();
        WorkspaceFiles look = new WorkspaceFiles(workspace.toRealPath(), data, git, unseen, Optional.of(only));
        Map<String, WorkspaceFiles.Found> files = before.isPresent()
                ? look.find(before.get().files().keySet(), before.get().rules())
                : look.find();
        Map<String, byte[]> contents = new HashMap<>();
        Object unused = read(files, contents, settled);
        Map<String, State> states = new TreeMap<>();
        files.forEach((name, file) -> states.put(name, state(file.facts(), contents.get(name), settled)));
        return new Guarded(states, look.rules());
    }

    /** Returns git behind these words. */
    GitProgram git(List<String> confinement) {
        return git.confinedBy(confinement);
    }

    private static State state(Optional<FileFacts> facts, byte[] hash, long settled) {
        if (facts.isEmpty()) {
            return new State("", "unknown");
        }
        if (hash == null) {
            return new State(facts.get().toString(), "");
        }
        String content =
                Integer.toOctalString(facts.get().kind()) + "-" + HexFormat.of().formatHex(hash);
        return new State(facts.get().changed() < settled ? facts.get().toString() : "", content);
    }

    private long settled() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis()) - TICK.toNanos();
    }

    /** Adds the contents of the files that can be read, and returns how many were not known before. */
    private int read(Map<String, WorkspaceFiles.Found> files, Map<String, byte[]> contents, long settled) {
        long deadline = System.nanoTime() + limits.time().toNanos();
        int read = 0;
        for (Map.Entry<String, WorkspaceFiles.Found> file : affordable(files)) {
            FileFacts facts = file.getValue().facts().orElseThrow();
            Optional<byte[]> hash = Optional.ofNullable(hashes.get(facts));
            if (hash.isEmpty()) {
                hash = content(file.getValue().path(), facts, deadline);
                read += hash.isPresent() ? 1 : 0;
                hash.filter(known -> facts.changed() < settled).ifPresent(known -> hashes.put(facts, known));
            }
            hash.ifPresent(known -> contents.put(file.getKey(), known));
        }
        return read;
    }

    private static boolean hasContent(WorkspaceFiles.Found file) {
        return file.facts().filter(facts -> facts.isRegular() || facts.isLink()).isPresent();
    }

    /** The files whose content counts, the smallest first. */
    private List<Map.Entry<String, WorkspaceFiles.Found>> affordable(Map<String, WorkspaceFiles.Found> files) {
        List<Map.Entry<String, WorkspaceFiles.Found>> affordable = new ArrayList<>();
        files.entrySet().stream()
                .filter(file -> hasContent(file.getValue()))
                .sorted(Comparator.comparingLong(
                        file -> file.getValue().facts().orElseThrow().size()))
                .forEach(affordable::add);
        long bytes = 0;
        for (int at = 0; at < affordable.size(); at++) {
            bytes += affordable.get(at).getValue().facts().orElseThrow().size();
            if (bytes > limits.bytes()) {
                return affordable.subList(0, at);
            }
        }
        return affordable;
    }

    private static Optional<byte[]> content(Path path, FileFacts facts, long deadline) {
        try {
            MessageDigest digest = Sha256.digest();
            if (facts.isLink()) {
                String target = Files.readSymbolicLink(path).toString();
                return Optional.of(digest.digest(target.getBytes(StandardCharsets.UTF_8)));
            }
            Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            try (InputStream content = Channels.newInputStream(Files.newByteChannel(path, options))) {
                byte[] part = new byte[(int) Math.max(1, Math.min(BUFFER_BYTES, facts.size()))];
                long left = facts.size(); // what another process appends in the meantime changes the facts
                for (int read = 0; read >= 0 && left > 0; left -= read) {
                    if (System.nanoTime() - deadline > 0) {
                        return Optional.empty();
                    }
                    read = content.read(part, 0, (int) Math.min(part.length, left));
                    digest.update(part, 0, Math.max(0, read));
                }
            }
            return Optional.of(digest.digest());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static String hash(Map<String, WorkspaceFiles.Found> files, Map<String, byte[]> contents) {
        MessageDigest all = Sha256.digest();
        ByteBuffer facts = ByteBuffer.allocate(3 * Long.BYTES);
        files.forEach((name, file) -> {
            all.update(name.getBytes(StandardCharsets.UTF_8));
            all.update((byte) 0);
            facts.clear();
            byte[] hash = contents.get(name);
            if (hash != null) {
                all.update((byte) 'h');
                all.update(hash);
                facts.putInt(file.facts().orElseThrow().kind());
            } else if (file.facts().isPresent()) {
                all.update((byte) 'f');
                put(facts, file.facts().get());
            } else {
                all.update((byte) 'u');
            }
            all.update(facts.flip());
        });
        return HexFormat.of().formatHex(all.digest());
    }

    /** Adds the facts of a file; pipes and devices have only a mode. */
    private static void put(ByteBuffer into, FileFacts facts) {
        into.putInt(facts.mode());
        if (facts.isRegular() || facts.isLink() || facts.isFolder()) {
            into.putLong(facts.size()).putLong(facts.modified());
        }
    }
}
