package dev.loopkeeper.store.postgres;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Which data folder this is, wherever it is moved. A copy would pass for it. */
final class FolderMark {
    private static final String NAME = "folder-id";

    private FolderMark() {}

    /** Made with the first look. Blocks; fails with {@link StoreException}. */
    static String of(Path dataFolder) {
        Path file = dataFolder.resolve(NAME);
        try {
            if (!Files.exists(file)) {
                AtomicFile.replaceDurably(file, UUID.randomUUID().toString());
            }
            return Files.readString(file).strip();
        } catch (IOException refused) {
            String message =
                    file + " cannot be read and made: " + refused + ". Check the rights and the room on this disk.";
            throw new StoreException(message, refused);
        }
    }
}
