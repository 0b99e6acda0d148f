package dev.loopkeeper.store.postgres;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** Which data folder this is. */
final class FolderMark {
    private static final String NAME = "folder-id";
    private static final Path MACHINE = Path.of("/etc/machine-id");

    private FolderMark() {}

    /**
     * The folder in its place: a copy of it is another one, on this machine or elsewhere, and so is one that was brought
     * back from a backup. A clone of the whole machine would pass for it. Blocks; fails with {@link StoreException}.
     */
    static String inPlace(Path dataFolder) {
        String mark = of(dataFolder);
        try {
            Object place = Files.getAttribute(dataFolder.resolve(NAME), "unix:ino");
            String machine =
                    Files.isReadable(MACHINE) ? Files.readString(MACHINE).strip() : "";
            return mark + " " + place + " " + machine;
        } catch (IOException refused) {
            throw new StoreException(
                    dataFolder + " cannot be looked at: " + refused + ". Check the rights on this disk.", refused);
        }
    }

    /** The folder in its place, if it has been marked. Makes nothing. Blocks; fails with {@link StoreException}. */
    static Optional<String> known(Path dataFolder) {
        return Files.exists(dataFolder.resolve(NAME)) ? Optional.of(inPlace(dataFolder)) : Optional.empty();
    }

    /** Wherever it is moved; a copy would pass for it. Made with the first look. Blocks; fails with {@link StoreException}. */
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
