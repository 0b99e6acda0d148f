package dev.loopkeeper.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.DroppedBytes;
import dev.loopkeeper.work.LibC;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * One log of a step, which the agent itself writes and appends to. What is dropped of it becomes a hole of the file:
 * the agent's position, every other offset and the file itself stay as they are. A note beside the log says what is
 * gone; it is written first, so that no reader takes a hole for output. Blocking, thread-safe.
 */
public final class LogFile {
    private static final int WRITE_ONLY = 1;
    private static final int NO_LINKS = 0x20000;
    private static final int NO_LINKS_ARM = 0x8000;
    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int NOT_SUPPORTED = 95;

    private final Path file;
    private final Path note;

    /**
     * {@code <folder>/<stream>.log}.
     *
     * @param folder of the step
     * @param stream {@code stdout}, {@code stderr} or {@code prompt}
     */
    public LogFile(Path folder, String stream) {
        this.file = folder.resolve(nameOf(stream));
        this.note = folder.resolve(stream + ".dropped.json");
    }

    /** The file of a stream; the prompt is a stream, too. */
    public static String nameOf(String stream) {
        return stream.equals("prompt") ? "prompt.md" : stream + ".log";
    }

    /**
     * A part of a log.
     *
     * @param bytes none at the end; a marker in place of dropped bytes
     * @param next where to read on
     */
    public record Part(Buffer bytes, long next) {}

    /** The file system does not support sparse files, so no part of this log can be dropped. */
    public static final class NoHolesException extends IOException {
        NoHolesException(Path file) {
            super("the file system of " + file + " cannot drop a part of a file");
        }
    }

    /** Offset of its end; 0 while there is no file. */
    public long size() throws IOException {
        return facts().size();
    }

    /** The length of a log and the time of its last change; the epoch if there is no log. */
    public record Facts(long size, FileTime changedAt) {}

    /** Blocking. */
    public Facts facts() throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Facts(found.isRegularFile() ? found.size() : 0, found.lastModifiedTime());
        } catch (NoSuchFileException absent) {
            return new Facts(0, FileTime.fromMillis(0));
        }
    }

    /** Up to so many bytes from here on; a marker, where it stands, comes as a part of its own. */
    public Part read(long offset, int length) throws IOException {
        byte[] bytes = bytes(offset, length);
        // Read after the bytes: bytes that were dropped during the read are noted before they are dropped.
        DroppedBytes dropped = dropped();
        if (bytes.length > 0 && dropped.covers(offset)) {
            return new Part(Buffer.buffer(dropped.marker()), dropped.to());
        }
        boolean before = dropped.count() > 0 && offset < dropped.from();
        int whole = before ? (int) Math.min(bytes.length, dropped.from() - offset) : bytes.length;
        return new Part(Buffer.buffer().appendBytes(bytes, 0, whole), offset + whole);
    }

    private byte[] bytes(long offset, int length) throws IOException {
        if (!isThere()) {
            return new byte[0];
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return OwnerOnly.readAll(channel, offset, length);
        }
    }

    /** The first bytes of what is kept, and the last ones, so many of each; all of it where it is no more than both. */
    public byte[] edges(int length) throws IOException {
        long size = size();
        DroppedBytes dropped = dropped();
        ByteArrayOutputStream edges = new ByteArrayOutputStream();
        if (size - dropped.count() <= 2L * length && dropped.count() == 0) {
            edges.writeBytes(bytes(0, (int) size));
        } else {
            long first = dropped.count() == 0 ? length : Math.min(length, dropped.from());
            edges.writeBytes(bytes(0, (int) first));
            edges.write('\n');
            edges.writeBytes(bytes(Math.max(dropped.to(), size - length), length));
        }
        return edges.toByteArray();
    }

    private boolean isThere() throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    /**
     * The bytes that were removed from the log; none where the agent has truncated the file since. Fails when that is
     * unknown: a hole is not output.
     */
    public DroppedBytes dropped() throws IOException {
        try {
            DroppedBytes noted = Json.MAPPER.readValue(Files.readAllBytes(note), DroppedBytes.class);
            return noted.to() <= size() ? noted : DroppedBytes.NONE;
        } catch (NoSuchFileException | JsonProcessingException none) {
            return DroppedBytes.NONE;
        }
    }

    /** Frees the disk space of these bytes. Fails, with nothing changed, if the file system has no holes. */
    public void drop(DroppedBytes gone) throws IOException {
        DroppedBytes before = dropped();
        write(gone);
        try {
            punch(gone);
        } catch (IOException refused) {
            write(before);
            throw refused;
        }
    }

    private void write(DroppedBytes gone) throws IOException {
        AtomicFile.replace(note, Json.MAPPER.writeValueAsBytes(gone));
    }

    private void punch(DroppedBytes gone) throws IOException {
        // The number of this flag is one of the few that machines differ in.
        int noLinks = System.getProperty("os.arch").startsWith("aarch") ? NO_LINKS_ARM : NO_LINKS;
        int descriptor = LibC.get().open(file.toString(), WRITE_ONLY | noLinks);
        if (descriptor < 0) {
            throw new IOException(file + " cannot be opened");
        }
        int result = LibC.get()
                .fallocate(descriptor, PUNCH_HOLE_KEEP_SIZE, new NativeLong(gone.from()), new NativeLong(gone.count()));
        int error = result == 0 ? 0 : Native.getLastError();
        if (LibC.get().close(descriptor) != 0 || (error != 0 && error != NOT_SUPPORTED)) {
            throw new IOException("a part of " + file + " could not be dropped, error " + error);
        }
        if (error == NOT_SUPPORTED) {
            throw new NoHolesException(file);
        }
    }

    /** Removes it where it has no content. */
    void removeIfEmpty() throws IOException {
        if (isThere() && size() == 0) {
            boolean unused = remove();
        }
    }

    /** Removes it, and the note with it. Whether there was one. */
    public boolean remove() throws IOException {
        boolean there = Files.deleteIfExists(file);
        return Files.deleteIfExists(note) || there;
    }
}
