package dev.loopkeeper.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Replaces files atomically: a reader finds the old content or the new. The draft of {@code name} is {@code .name.new}
 * beside it, so only one writer may replace a file at a time. Its methods block.
 */
public final class AtomicFile {
    /** Content that is written piece by piece. */
    public interface Content {
        /** Writes the content; the caller closes {@code out}. */
        void writeTo(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /** Replaces a file without a sync: after a crash of the machine the file may be old, or empty. */
    public static void replace(Path file, byte[] content) throws IOException {
        replace(file, out -> out.write(content));
    }

    /** The same; content that fails leaves the file as it is. */
    public static void replace(Path file, Content content) throws IOException {
        Path draft = draftOf(file);
        try (OutputStream out = OwnerOnly.stream(draft)) {
            content.writeTo(out);
        }
        move(draft, file);
    }

    /** After a crash of the machine, too, the file has the old content or the new. */
    public static void replaceDurably(Path file, byte[] content) throws IOException {
        Path draft = draftOf(file);
        write(draft, content);
        move(draft, file);
        syncFolder(file.toAbsolutePath().getParent());
    }

    /** The same for a text, written as UTF-8. */
    public static void replaceDurably(Path file, String content) throws IOException {
        replaceDurably(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes a finished draft durable under its final name. */
    public static void publish(Path draft, Path file) throws IOException {
        sync(draft, StandardOpenOption.WRITE);
        move(draft, file);
        syncFolder(file.toAbsolutePath().getParent());
    }

    /** Writes in place, so that a part of the content may be seen; all of it is durable in the end, but for its name. */
    public static void write(Path file, byte[] content) throws IOException {
        try (FileChannel channel = OwnerOnly.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            OwnerOnly.writeAll(channel, content);
            channel.force(true);
        }
    }

    /** Makes what a file holds durable, but not its name. */
    public static void syncFile(Path file) throws IOException {
        sync(file, StandardOpenOption.WRITE);
    }

    /** Makes the names in a folder durable. */
    public static void syncFolder(Path folder) throws IOException {
        sync(folder, StandardOpenOption.READ);
    }

    private static Path draftOf(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".new");
    }

    private static void move(Path draft, Path file) throws IOException {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void sync(Path path, StandardOpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(path, access)) {
            channel.force(true);
        }
    }
}
