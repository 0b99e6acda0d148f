package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Ownership of a data folder: a lock of the operating system on {@code owner.lock}, which holds the owner's pid. It
 * ends with the process in any case, so a dead owner's folder is free at once.
 */
public final class OwnerLock implements AutoCloseable {
    static final String NAME = "owner.lock";

    /**
     * Folders owned by this JVM. Asked before the file is touched: closing any second channel on it would give up the
     * lock, since POSIX locks belong to the process.
     */
    private static final Set<Path> OWNED = new HashSet<>();

    private final Path folder;
    private final FileChannel channel;

    private OwnerLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Fails with {@link DataFolderInUseException}, or {@link DataFolderException} where locking does not work. */
    static OwnerLock take(Path dataFolder) {
        try {
            Path folder = dataFolder.toRealPath();
            synchronized (OWNED) {
                if (OWNED.contains(folder)) {
                    throw new DataFolderInUseException(ProcessHandle.current().pid(), dataFolder);
                }
                OwnerLock lock = lock(folder);
                OWNED.add(folder);
                LockedFiles.hold(folder);
                return lock;
            }
        } catch (IOException refused) {
            Path file = dataFolder.resolve(NAME);
            throw new DataFolderException(
                    file + " cannot be locked (" + refused + "). Make it writable for this user"
                            + " or name a folder on a local disk with --data.",
                    refused);
        }
    }

    /** The pid that the owner of this folder has written; 0 when there is none. It may be dead. */
    static long writtenPid(Path dataFolder) {
        try {
            Path folder = dataFolder.toRealPath();
            synchronized (OWNED) {
                return OWNED.contains(folder) ? ProcessHandle.current().pid() : read(folder);
            }
        } catch (IOException | NumberFormatException unknown) {
            return 0;
        }
    }

    /** Releases the folder. */
    @Override
    public void close() {
        synchronized (OWNED) {
            if (!OWNED.remove(folder)) {
                return;
            }
            try {
                channel.close();
                LockedFiles.release(folder);
            } catch (IOException refused) {
                throw new DataFolderException("cannot release the lock of " + folder + ": " + refused, refused);
            }
        }
    }

    private static OwnerLock lock(Path folder) throws IOException {
        FileChannel channel = OwnerOnly.open(
                folder.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new DataFolderInUseException(writtenPid(folder), folder);
            }
            writePid(channel);
            return new OwnerLock(folder, channel);
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    private static void writePid(FileChannel channel) throws IOException {
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid), 0);
        channel.force(true);
    }

    private static long read(Path folder) throws IOException {
        return Long.parseLong(Files.readString(folder.resolve(NAME)).trim());
    }
}
