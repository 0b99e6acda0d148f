package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A data folder that this user may not write. SQLite cannot read a database with a write-ahead log there, since readers
 * share memory by a file beside it: a copy is read instead.
 */
final class SealedFolder {
    private SealedFolder() {}

    /**
     * The file itself where its folder can be written, else a copy, which {@link StoreFile#discardCopy} removes. Never a
     * copy of what this process has open: that would drop its locks, and the memory that readers share is there then.
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
            String message = file.database() + " cannot be copied to be read: " + refused
                    + ". Check the rights on it and the room for temporary files.";
            throw new StoreException(message, refused);
        }
    }
}
