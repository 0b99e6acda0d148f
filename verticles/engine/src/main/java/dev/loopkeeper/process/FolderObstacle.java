package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Explains why the folder of a step cannot be read. Blocking. */
final class FolderObstacle {
    /** The data folder, runs, the run, steps, the step. */
    private static final int DEPTH = 5;

    private FolderObstacle() {}

    /**
     * Returns the reason and the remedy: it, or a folder above it, is gone or denies access. Empty where neither is the
     * case.
     */
    static Optional<String> of(Path folder) {
        List<Path> places = new ArrayList<>();
        for (Path parent = folder; places.size() < DEPTH; parent = parent.getParent()) {
            places.add(0, parent);
        }
        return places.stream().flatMap(parent -> in(parent).stream()).findFirst();
    }

    private static Optional<String> in(Path folder) {
        boolean visited = Files.isReadable(folder) && Files.isExecutable(folder);
        if (visited && Files.isWritable(folder)) {
            return Optional.empty();
        }
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
            if (!isTaken(visited, permissions)) {
                return Optional.empty();
            }
            String rights = PosixFilePermissions.toString(permissions);
            return Optional.of(
                    "folder " + folder + " is not accessible for the user of Loopkeeper, its permissions are " + rights
                            + "; restore them (chmod u+rwx " + folder + ") and keep agents from changing them");
        } catch (NoSuchFileException gone) {
            return Optional.of(
                    "folder " + folder + " is gone with all that lay in it; keep the agent from removing what lies"
                            + " in the data folder");
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    /** Whether missing rights prevent writing, and not, e.g., a read-only file system. */
    static boolean isTaken(boolean visited, Set<PosixFilePermission> rights) {
        return !visited || !rights.contains(PosixFilePermission.OWNER_WRITE);
    }
}
