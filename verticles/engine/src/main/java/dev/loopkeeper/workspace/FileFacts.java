package dev.loopkeeper.workspace;

import dev.loopkeeper.data.FileId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The facts that the system has about a file without reading it; for a link, about the link itself. A file with the
 * same facts has the same content, unless it changed within the tick of the clock in which it was read.
 *
 * @param mode type and rights, as in {@code stat(2)}
 * @param size in bytes
 * @param modified of the content, nanoseconds since the epoch; programs set it as they like
 * @param changed of the inode, nanoseconds since the epoch; set by the kernel alone
 */
record FileFacts(int mode, long device, long inode, long size, long modified, long changed) {
    private static final String WANTED = "unix:mode,dev,ino,size,lastModifiedTime,ctime";
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;
    private static final int EXECUTABLE = 0100;

    /** Fails with {@link java.nio.file.NoSuchFileException} where nothing is. */
    static FileFacts of(Path path) throws IOException {
        Map<String, Object> known = Files.readAttributes(path, WANTED, LinkOption.NOFOLLOW_LINKS);
        return new FileFacts(
                (int) known.get("mode"),
                (long) known.get("dev"),
                (long) known.get("ino"),
                (long) known.get("size"),
                nanos(known.get("lastModifiedTime")),
                nanos(known.get("ctime")));
    }

    private static long nanos(Object time) {
        return ((FileTime) time).to(TimeUnit.NANOSECONDS);
    }

    FileId id() {
        return new FileId(device, inode);
    }

    /** When the inode changed. */
    Instant changedAt() {
        return Instant.EPOCH.plusNanos(changed);
    }

    boolean isFolder() {
        return (mode & TYPE) == FOLDER;
    }

    boolean isRegular() {
        return (mode & TYPE) == REGULAR;
    }

    boolean isLink() {
        return (mode & TYPE) == LINK;
    }

    /** The type and the owner's right to execute: the part of the mode that belongs to the content, as in git. */
    int kind() {
        return isRegular() ? mode & (TYPE | EXECUTABLE) : mode & TYPE;
    }
}
