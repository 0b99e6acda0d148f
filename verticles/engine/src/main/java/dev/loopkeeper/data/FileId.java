package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Identifies a file or folder by what its hard links, resolved symbolic links and mounts have in common. */
public record FileId(long device, long inode) {
    /** Blocking. Empty where nothing can be found out. */
    public static Optional<FileId> of(Path path, LinkOption... links) {
        try {
            Map<String, Object> known = Files.readAttributes(path, "unix:dev,ino", links);
            return Optional.of(new FileId((long) known.get("dev"), (long) known.get("ino")));
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
    }
}
