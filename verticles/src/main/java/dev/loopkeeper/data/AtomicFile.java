package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces whole files so that a crash leaves the old one or the new one. Blocks. */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes the draft, which must lie in the same folder, and puts it in the file's place. */
    public static void replace(Path file, Path draft, String content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        publish(draft, file);
    }

    /** Makes a finished draft durable under its final name. */
    public static void publish(Path draft, Path file) throws IOException {
        sync(draft, StandardOpenOption.WRITE);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncFolder(file.toAbsolutePath().getParent());
    }

    /** Makes the names in a folder durable. */
    public static void syncFolder(Path folder) throws IOException {
        sync(folder, StandardOpenOption.READ);
    }

    private static void sync(Path path, StandardOpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(path, access)) {
            channel.force(true);
        }
    }
}
