package dev.loopkeeper.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/** Makes files that only their owner may read, whatever the umask. A file that exists keeps its rights. Blocking. */
public final class OwnerOnly {
    /** The rights of a folder for its owner alone. */
    static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<?> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private OwnerOnly() {}

    /** Opens a file, and makes it where the options say so. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), FILE);
    }

    /** The same for a new file, or one whose content is replaced. */
    public static OutputStream stream(Path file) throws IOException {
        return Channels.newOutputStream(
                open(file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
    }

    /** Writes a text as UTF-8 in place of what the file has. */
    public static void write(Path file, String text) throws IOException {
        try (OutputStream out = stream(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Makes an empty file where there is none. */
    public static void touch(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createFile(file, FILE);
            } catch (FileAlreadyExistsException raced) {
                // Another process created it first.
            }
        }
    }

    /** Writes all of the content. */
    public static void writeAll(FileChannel channel, byte[] content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Returns the bytes from this offset on, at most so many; none at the end. */
    public static byte[] readAll(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, Math.max(0, channel.size() - offset)));
        int count = 0;
        while (bytes.hasRemaining() && count >= 0) {
            count = channel.read(bytes, offset + bytes.position());
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
