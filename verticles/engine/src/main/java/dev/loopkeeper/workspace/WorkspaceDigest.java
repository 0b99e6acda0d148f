package dev.loopkeeper.workspace;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.step.Sha256;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A hash of what a workspace contains, exact: it is the same if and only if names, types, the owner's right to execute
 * and contents of all files that count are, and no commit came. Which ones count is up to {@link WorkspaceFiles}. A file is read
 * only when its {@link FileFacts} are not those with which it was read before. What cannot be read counts by its facts.
 * Blocking.
 */
final class WorkspaceDigest {
    /**
     * Beyond the coarsest clock of a file system (2 s). A file that changed this shortly before the look may change once
     * more without its facts telling, so that it is read again by the next look.
     */
    private static final Duration TICK = Duration.ofSeconds(2);

    private static final int BUFFER_BYTES = 1 << 17;
    private static final int LONGEST_POINTER = 10_000;

    /**
     * What was found.
     *
     * @param hash in hex
     * @param files how many count
     * @param read how many of them were read
     * @param unread how many count by their facts, since they could not be read, or not in time
     */
    record Taken(String hash, int files, int read, int unread) {}

    private record Unread(String name, Path path, FileFacts facts) {}

    private final Clock clock;
    private final Duration limit;
    private final String git;

    /** @param limit for reading; how long more may take is bound by the number of files alone */
    WorkspaceDigest(Clock clock, Duration limit, String git) {
        this.clock = clock;
        this.limit = limit;
        this.git = git;
    }

    /**
     * Fails where a part of the workspace cannot be looked at.
     *
     * @param data left out where it lies in the workspace
     * @param memory a folder of its own for what is remembered until the next look
     */
    Taken take(Path workspace, Path data, Path memory) throws IOException {
        Path root = workspace.toRealPath();
        long settled = TimeUnit.MILLISECONDS.toNanos(clock.millis()) - TICK.toNanos();
        long deadline = System.nanoTime() + limit.toNanos();
        KnownHashes known = KnownHashes.in(memory.resolve(".workspace-hashes"));
        Map<String, WorkspaceFiles.Found> files = new WorkspaceFiles(root, data, new GitFiles(git, memory)).find();
        Map<String, byte[]> hashes = new HashMap<>();
        List<Unread> unread = new ArrayList<>();
        files.forEach((name, file) -> file.facts()
                .filter(facts -> facts.isRegular() || facts.isLink())
                .ifPresent(facts -> known.find(name, facts)
                        .ifPresentOrElse(
                                hash -> hashes.put(name, hash),
                                () -> unread.add(new Unread(name, file.path(), facts)))));
        // The small ones first: what is too large to be read in time keeps no other from being known the next time.
        unread.sort(Comparator.comparingLong(file -> file.facts().size()));
        int read = 0;
        for (Unread file : unread) {
            Optional<byte[]> hash = content(file, deadline);
            if (hash.isPresent()) {
                read++;
                hashes.put(file.name(), hash.get());
                if (file.facts().changed() < settled) {
                    known.put(file.name(), file.facts(), hash.get());
                }
            }
        }
        known.save();
        return new Taken(hash(root, files, hashes), files.size(), read, unread.size() - read);
    }

    private static Optional<byte[]> content(Unread file, long deadline) {
        try {
            MessageDigest digest = Sha256.digest();
            if (file.facts().isLink()) {
                String target = Files.readSymbolicLink(file.path()).toString();
                return Optional.of(digest.digest(target.getBytes(StandardCharsets.UTF_8)));
            }
            Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            try (InputStream content = Channels.newInputStream(Files.newByteChannel(file.path(), options))) {
                byte[] part = new byte
                        [(int) Math.max(1, Math.min(BUFFER_BYTES, file.facts().size() + 1))];
                for (int read = content.read(part); read >= 0; read = content.read(part)) {
                    if (System.nanoTime() - deadline > 0) {
                        return Optional.empty();
                    }
                    digest.update(part, 0, read);
                }
            }
            return Optional.of(digest.digest());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static String hash(Path root, Map<String, WorkspaceFiles.Found> files, Map<String, byte[]> hashes)
            throws IOException {
        MessageDigest all = Sha256.digest();
        ByteBuffer facts = ByteBuffer.allocate(6 * Long.BYTES);
        files.forEach((name, file) -> {
            all.update(name.getBytes(StandardCharsets.UTF_8));
            all.update((byte) 0);
            facts.clear();
            byte[] hash = hashes.get(name);
            if (file.facts().isEmpty()) {
                all.update((byte) 'u');
            } else if (hash != null) {
                all.update((byte) 'h');
                all.update(hash);
                facts.putInt(file.facts().get().kind());
            } else {
                all.update((byte) 'f');
                put(facts, file.facts().get());
            }
            all.update(facts.flip());
        });
        all.update(Long.toString(commits(root)).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(all.digest());
    }

    /** Of what has no content: a pipe, a device, or something that could not be read. */
    private static void put(ByteBuffer into, FileFacts facts) {
        into.putInt(facts.mode());
        if (facts.isRegular() || facts.isLink() || facts.isFolder()) {
            into.putLong(facts.inode())
                    .putLong(facts.size())
                    .putLong(facts.modified())
                    .putLong(facts.changed());
        }
    }

    /** How long the log of the repository's commits is, which each commit makes longer. */
    private static long commits(Path root) throws IOException {
        Path folder = root.resolve(".git");
        if (Files.isRegularFile(folder) && Files.size(folder) <= LONGEST_POINTER) {
            // In a worktree it is a file that says where its part of the repository is.
            LockedFiles.refuse(folder);
            String line = Files.readString(folder, StandardCharsets.ISO_8859_1).strip();
            folder = root.resolve(line.replaceFirst("^gitdir: *", ""));
        }
        Path log = folder.resolve("logs/HEAD");
        return Files.isRegularFile(log) ? Files.size(log) : 0;
    }
}
