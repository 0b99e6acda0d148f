package dev.loopkeeper.signal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Says why the place of a signal file cannot be made free: which file is in the way, whose it is and what helps. Blocking.
 */
final class BlockedPlace {
    private static final String USER = System.getProperty("user.name");

    private BlockedPlace() {}

    /** A folder lies where the file should be. It may hold a person's work, so it is not moved aside. */
    static UnusableSignalException byFolder(Path file) {
        return new UnusableSignalException("signal file " + file + " is a folder, which belongs to " + owner(file)
                + "; rename or remove it, or declare another signal file");
    }

    /** The folder of the file cannot be made. */
    static UnusableSignalException withoutFolder(Path file, IOException cause) {
        Path there = file.getParent();
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = there.getParent();
        }
        String what = "the folder of signal file " + file + " cannot be made: ";
        if (!Files.isDirectory(there)) {
            return new UnusableSignalException(
                    what + there + " is " + kind(there) + ", which belongs to " + owner(there)
                            + "; rename or remove it, or declare another signal file",
                    cause);
        }
        return new UnusableSignalException(what + refusal(there, cause), cause);
    }

    /** A file from before the launch stays where it is. */
    static UnusableSignalException byLeftover(Path file, IOException cause) {
        return new UnusableSignalException(
                "a leftover signal file, " + file + ", which belongs to " + owner(file)
                        + ", cannot be moved aside before the launch: " + refusal(file.getParent(), cause)
                        + ", or remove the file",
                cause);
    }

    /** What reading it takes. */
    static String unreadable(Path file) {
        return "signal file " + file + ", which belongs to " + owner(file) + ", may not be read by " + USER
                + "; let the agent leave a file that " + USER + " may read";
    }

    private static String refusal(Path folder, IOException cause) {
        return Files.isWritable(folder)
                ? cause.getMessage() + "; put that right"
                : USER + " may not write to " + folder + ", which belongs to " + owner(folder) + "; make " + USER
                        + " its owner (sudo chown -R " + USER + " " + folder + ")";
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
