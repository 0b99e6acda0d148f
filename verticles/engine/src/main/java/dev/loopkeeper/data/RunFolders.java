package dev.loopkeeper.data;

import dev.loopkeeper.run.RunId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The folders {@code <data>/runs/<runId>}. Blocks; fails with {@link DataFolderException} where the disk refuses. */
public final class RunFolders {
    private static final String REMOVED = ".removed-";
    private static final String DRAFT = ".import-";
    private static final String NAMELESS = ".export-";

    private final Path runs;

    /** Below {@code <dataFolder>/runs}. */
    public RunFolders(Path dataFolder) {
        this.runs = RunPaths.runs(dataFolder);
    }

    /** The folder of a run, there or not. Fails with {@link IllegalArgumentException} for an invalid run id. */
    public Path of(String runId) {
        return runs.resolve(checked(runId));
    }

    /** A new empty folder, to be filled and then put in place by {@link #publish}. */
    public Path draft(String runId) {
        Path draft = runs.resolve(DRAFT + checked(runId));
        tried(draft, () -> {
            FolderRemoval.remove(draft);
            Files.createDirectories(draft);
        });
        return draft;
    }

    /** Gives the draft its final name, which must be free. */
    public void publish(Path draft, String runId) {
        Path folder = of(runId);
        tried(folder, () -> {
            Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
            AtomicFile.syncFolder(runs);
        });
    }

    /** Removes the folder, if there is one. A crash leaves it whole, or under a name that {@link #sweep} removes. */
    public void remove(String runId) {
        Path folder = of(runId);
        Path removed = runs.resolve(REMOVED + runId);
        tried(folder, () -> {
            FolderRemoval.remove(removed);
            if (Files.exists(folder)) {
                Files.move(folder, removed, StandardCopyOption.ATOMIC_MOVE);
                FolderRemoval.remove(removed);
            }
        });
    }

    /** A new empty file for its owner only, which is gone as soon as it is closed, also by the end of the process. */
    public FileChannel nameless() {
        Path file = runs.resolve(NAMELESS + UUID.randomUUID());
        return made(file, () -> {
            Files.createDirectories(runs);
            FileChannel channel = OwnerOnly.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Files.delete(file);
            return channel;
        });
    }

    /** Why this user cannot remove the folder, with the remedy; empty if it can. */
    public Optional<String> obstacle(String runId) {
        Path folder = of(runId);
        return made(folder, () -> RemovalCheck.foreignIn(folder).map(foreign -> obstacle(folder, foreign)));
    }

    private static String obstacle(Path folder, Path foreign) {
        if (owner(foreign).equals(owner(folder.getParent()))) {
            return foreign + " cannot be read by its owner; make it readable with: chmod -R u+rwX " + folder;
        }
        return foreign + " belongs to the user " + owner(foreign) + "; give it to the owner of the data folder with: "
                + "sudo chown -R --reference=" + folder.getParent() + " " + folder;
    }

    private static String owner(Path path) {
        try {
            return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException unknown) {
            return "unknown";
        }
    }

    /** Removes what crashes left of removals, imports and exports. Returns one line for each that could not be removed. */
    public List<String> sweep() {
        if (!Files.isDirectory(runs)) {
            return List.of();
        }
        List<String> left = new ArrayList<>();
        for (Path folder : made(runs, this::list)) {
            String name = folder.getFileName().toString();
            if (name.startsWith(REMOVED) || name.startsWith(DRAFT) || name.startsWith(NAMELESS)) {
                try {
                    tried(folder, () -> FolderRemoval.remove(folder));
                } catch (DataFolderException refused) {
                    left.add(refused.getMessage());
                }
            }
        }
        return left;
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> all = Files.list(runs)) {
            return all.toList();
        }
    }

    private static String checked(String runId) {
        if (!RunId.isValid(runId)) {
            throw new IllegalArgumentException("not a run id: " + runId);
        }
        return runId;
    }

    private static void tried(Path path, Attempt attempt) {
        Object unused = made(path, () -> {
            attempt.make();
            return path;
        });
    }

    private static <T> T made(Path path, Making<T> making) {
        try {
            return making.make();
        } catch (IOException refused) {
            String message =
                    path + " cannot be changed: " + refused + ". Check the rights and the free space of this disk.";
            throw new DataFolderException(message, refused);
        }
    }

    private interface Attempt {
        void make() throws IOException;
    }

    private interface Making<T> {
        T make() throws IOException;
    }
}
