package dev.loopkeeper.store.postgres;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** Identifies a data folder by a random id in its file {@code folder-id}. */
public final class FolderMark {
    private static final String NAME = "folder-id";
    private static final Path MACHINE = Path.of("/etc/machine-id");

    private FolderMark() {}

    /**
     * Returns the id together with inode and machine id, so that a copy or a restored backup is a different folder. A
     * clone of the whole machine is not recognized. Blocks; fails with {@link StoreException}.
     */
    public static String inPlace(Path dataFolder) {
        String mark = of(dataFolder);
        try {
            Object inode = Files.getAttribute(dataFolder.resolve(NAME), "unix:ino");
            String machine =
                    Files.isReadable(MACHINE) ? Files.readString(MACHINE).strip() : "";
            return mark + " " + inode + " " + machine;
        } catch (IOException refused) {
            throw new StoreException(dataFolder + " cannot be read: " + refused + ". Check its permissions.", refused);
        }
    }

    /**
     * Returns {@link #inPlace} for a folder that has an id, and creates none. Blocks; fails with
     * {@link StoreException}.
     */
    public static Optional<String> known(Path dataFolder) {
        return Files.exists(dataFolder.resolve(NAME)) ? Optional.of(inPlace(dataFolder)) : Optional.empty();
    }

    /**
     * Returns the id and creates it if missing. Moving or copying the folder keeps the id. Blocks; fails with
     * {@link StoreException}.
     */
    static String of(Path dataFolder) {
        Path file = dataFolder.resolve(NAME);
        try {
            if (!Files.exists(file)) {
                AtomicFile.replaceDurably(file, UUID.randomUUID().toString());
            }
            return Files.readString(file).strip();
        } catch (IOException refused) {
            String message =
                    file + " cannot be read or created: " + refused + ". Check its permissions and the disk space.";
            throw new StoreException(message, refused);
        }
    }
}
