package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a store in a data folder that this user may not write. SQLite needs to create a shared-memory file beside a
 * database with a write-ahead log, so a copy is read instead.
 */
final class SealedFolder {
    private SealedFolder() {}

    /**
     * Returns the file itself if its folder is writable, else a copy, which {@link StoreFile#discardCopy} removes.
     * Never copies a file that this process has open: closing the copied file would drop its POSIX locks.
     */
    static StoreFile readable(StoreFile file) {
        boolean sealed = Files.exists(file.database())
                && !Files.isWritable(file.folder())
                && !LockedFiles.holdsIn(file.folder());
        return sealed ? copy(file) : file;
    }

    static StoreFile copy(StoreFile file) {
        try {
            Path folder = Files.createTempDirectory("loopkeeper-read-");
            StoreFile copy = StoreFile.copyIn(folder, file);
            Files.copy(file.database(), copy.database());
            if (Files.exists(file.log())) {
                Files.copy(file.log(), copy.log());
            }
            return copy;
        } catch (IOException refused) {
            String message = file.database() + " cannot be copied for reading: " + refused
                    + ". Check its permissions and the disk space for temporary files.";
            throw new StoreException(message, refused);
        }
    }
}
