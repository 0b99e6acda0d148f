package dev.loopkeeper.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A file system of its own for one folder, which can be filled up. Only root can have one. */
public final class SmallDisk implements AutoCloseable {
    /** Also for what an hour leaves in it. */
    private static final String SIZE = "256m";

    private static final int BLOCK = 1 << 16;

    private final Path folder;
    private final Path filler;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.filler = folder.resolve("filler");
    }

    /** Empty where the system does not permit one. */
    static Optional<SmallDisk> at(Path folder) throws IOException {
        return at(folder, "size=" + SIZE);
    }

    /**
     * With space for this many files and folders.
     */
    public static Optional<SmallDisk> ofFiles(Path folder, int most) throws IOException {
        return at(folder, "size=" + SIZE + ",nr_inodes=" + most);
    }

    private static Optional<SmallDisk> at(Path folder, String size) throws IOException {
        Files.createDirectories(folder);
        boolean made = Programs.run("mount", "-t", "tmpfs", "-o", size + ",mode=755", "tmpfs", folder.toString());
        return made ? Optional.of(new SmallDisk(folder)) : Optional.empty();
    }

    /** To the last byte. */
    void fill() throws IOException {
        fill(0);
    }

    /** But for so many bytes. */
    public void fill(long spare) throws IOException {
        byte[] block = new byte[BLOCK];
        try (FileChannel file = FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                OutputStream out = Channels.newOutputStream(file)) {
            fill(out, block);
            file.truncate(file.size() - spare);
        }
    }

    private static void fill(OutputStream out, byte[] block) {
        for (int size = block.length; size > 0; ) {
            try {
                out.write(block, 0, size);
            } catch (IOException full) {
                size /= 2;
            }
        }
    }

    public void empty() throws IOException {
        Files.deleteIfExists(filler);
    }

    /** Also while a process that has a file there is about to end. */
    @Override
    public void close() throws IOException {
        if (!Programs.run("umount", "-l", folder.toString())) {
            throw new IOException("umount -l " + folder + " was refused");
        }
    }
}
