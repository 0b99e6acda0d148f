package dev.loopkeeper.signal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Explains why a signal file's path cannot be cleared: the file in the way, its owner and the remedy. Blocking.
 */
final class BlockedPath {
    private static final String USER = System.getProperty("user.name");

    private BlockedPath() {}

    /** A folder lies where the file should be. It may hold a person's work, so it is not moved aside. */
    static UnusableSignalException byFolder(Path file) {
        return new UnusableSignalException(
                "signal file " + file + " is a folder, owned by " + owner(file) + "; rename or remove it");
    }

    /** The folder of the file cannot be made. */
    static UnusableSignalException withoutFolder(Path file, IOException cause) {
        Path there = file.getParent();
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = there.getParent();
        }
        String owned = there + (Files.isDirectory(there) ? "" : " is " + kind(there)) + ", owned by " + owner(there);
        return new UnusableSignalException(
                Files.isDirectory(there)
                        ? owned + ": the folder of the signal file cannot be created there, signal file "
                                + file.getFileName() + ": " + remedy(there).orElse(cause.getMessage())
                        : owned + "; rename or remove it, since a folder is needed for signal file "
                                + file.getFileName(),
                cause);
    }

    /** A file from before the launch stays where it is. */
    static UnusableSignalException byOldFile(Path file, IOException cause) {
        return new UnusableSignalException(
                "the old signal file " + file + ", owned by " + owner(file)
                        + ", cannot be moved aside; remove the file"
                        + remedy(file.getParent()).map(or -> ", or " + or).orElse("; " + cause.getMessage()),
                cause);
    }

    /** The remedy for an unreadable signal file. */
    static String unreadable(Path file) {
        return "signal file " + file + ", owned by " + owner(file) + ", is not readable for user " + USER
                + "; let the agent write a file that " + USER + " can read";
    }

    /** Empty where its rights are not at fault. */
    private static Optional<String> remedy(Path folder) {
        return Files.isWritable(folder)
                ? Optional.empty()
                : Optional.of("let " + USER + " write there: sudo chown -R " + USER + " " + folder);
    }

    private static String kind(Path path) {
        if (Files.isSymbolicLink(path)) {
            return "a symbolic link that leads to no folder";
        }
        return Files.isRegularFile(path) ? "a file" : "no folder";
    }

    private static String owner(Path path) {
        try {
            return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException | UnsupportedOperationException unknown) {
            return "an unknown user";
        }
    }
}
