package dev.loopkeeper.scheduler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A hash of what a workspace contains, so that two iterations that left it the same can be told. Files up to 1 MiB
 * count by content, larger ones by size and time, and so does everything once 64 MiB were read; after 20,000 files the
 * rest is left out. Signals, control files and the insides of {@code .git} do not count, a new commit does. Blocking.
 */
final class WorkspaceDigest {
    private static final int MOST_FILES = 20_000;
    private static final long LARGE = 1 << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final Set<String> LEFT_OUT = Set.of(".loopkeeper", ".git", "node_modules");

    private final Path workspace;
    private final Map<String, String> files = new TreeMap<>();
    private long read;

    private WorkspaceDigest(Path workspace) {
        this.workspace = workspace;
    }

    /** The hash in hex; of an unreadable workspace, that of an empty one. */
    static String of(Path workspace) throws IOException {
        WorkspaceDigest digest = new WorkspaceDigest(workspace);
        Files.walkFileTree(workspace, digest.new Visitor());
        Path commits = workspace.resolve(".git/logs/HEAD");
        if (Files.isRegularFile(commits)) {
            digest.files.put(".git/logs/HEAD", String.valueOf(Files.size(commits)));
        }
        return hash(digest.files.toString().getBytes(StandardCharsets.UTF_8));
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean skip = LEFT_OUT.contains(String.valueOf(folder.getFileName())) && !folder.equals(workspace);
            return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            files.put(workspace.relativize(file).toString(), mark(file, attributes));
            return files.size() < MOST_FILES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            // Agents remove files while we look; what is gone does not count.
            return FileVisitResult.CONTINUE;
        }
    }

    private String mark(Path file, BasicFileAttributes attributes) throws IOException {
        boolean small = attributes.size() <= LARGE && read + attributes.size() <= MOST_BYTES;
        if (!attributes.isRegularFile() || !small) {
            return attributes.size() + "@" + attributes.lastModifiedTime().toMillis();
        }
        read += attributes.size();
        try {
            return hash(Files.readAllBytes(file));
        } catch (IOException gone) {
            return "gone";
        }
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
