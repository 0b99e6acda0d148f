package dev.loopkeeper.bundle;

import dev.loopkeeper.contract.NodeChannels.RunFile;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.data.StepFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and writes the files of runs that a bundle contains: all but the projection, which an import writes again,
 * contexts of launches and what only an open step needs, which can be derived from the run's events, empty logs,
 * worktrees, names that begin with a dot, and links. Blocks.
 */
public final class FolderFiles implements RunFiles {
    /** Their content is on the run's branch, in the repository. */
    private static final Set<String> WORKTREES = Set.of("worktree", "worktrees");

    private static final Path STEPS = Path.of("steps");
    /** Name count of {@code steps/<stepId>/<file>}. */
    private static final int IN_STEP = 3;

    private final RunFolders folders;

    public FolderFiles(Path dataFolder) {
        this.folders = new RunFolders(dataFolder);
    }

    @Override
    public SortedMap<String, AtomicFile.Content> of(String runId) throws IOException {
        Path folder = folders.of(runId);
        SortedMap<String, AtomicFile.Content> files = new TreeMap<>();
        sizes(folder)
                .keySet()
                .forEach(path -> files.put(path, out -> {
                    try (InputStream content = Files.newInputStream(folder.resolve(path))) {
                        content.transferTo(out);
                    }
                }));
        return files;
    }

    private static boolean isOfStep(Path relative) {
        return relative.getNameCount() == IN_STEP
                && relative.startsWith(STEPS)
                && StepFiles.isSafe(relative.getName(1).toString());
    }

    /** A page of them, by path: those after this one. */
    public List<RunFile> page(String runId, String after, int limit) throws IOException {
        return sizes(folders.of(runId)).tailMap(after + '\0').entrySet().stream()
                .limit(limit)
                .map(file -> new RunFile(file.getKey(), file.getValue()))
                .toList();
    }

    /** Reads at most this many bytes of a file; none at its end. The path is untrusted. */
    public byte[] read(String runId, String path, long offset, int length) throws IOException {
        Path folder = folders.of(runId);
        Path relative = Path.of(BundlePaths.checked(path));
        Path file = folder.resolve(relative);
        if (!isIncluded(relative)
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || !file.toRealPath().equals(folder.toRealPath().resolve(relative))
                || LockedFiles.include(file)) {
            throw new NoSuchFileException(path);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return OwnerOnly.readAll(channel, offset, length);
        }
    }

    private static boolean isIncluded(Path relative) {
        return !WORKTREES.contains(relative.getName(0).toString())
                && !relative.equals(Path.of(CheckpointFile.NAME))
                && !(isOfStep(relative) && isOmitted(relative.getFileName().toString()))
                && !relative.getFileName().toString().startsWith(".");
    }

    private static boolean isOmitted(String file) {
        return file.equals(StepFiles.CONTEXT) || StepFiles.isTransient(file);
    }

    private static SortedMap<String, Long> sizes(Path folder) throws IOException {
        SortedMap<String, Long> files = new TreeMap<>();
        if (!Files.isDirectory(folder)) {
            return files;
        }
        Set<FileId> locked = LockedFiles.ids();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inside, BasicFileAttributes facts) {
                boolean checkout = inside.getParent().equals(folder)
                        && WORKTREES.contains(inside.getFileName().toString());
                return checkout ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
                Path relative = folder.relativize(file);
                if (facts.isRegularFile()
                        && isIncluded(relative)
                        && !(facts.size() == 0 && relative.toString().endsWith(".log"))
                        && FileId.of(file).filter(locked::contains).isEmpty()) {
                    files.put(relative.toString(), facts.size());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return files;
    }
}
