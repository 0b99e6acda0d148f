package dev.loopkeeper.data;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.work.BootId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code <data>/server.json}: <code>{"url": "http://127.0.0.1:7345", "pid": 4711, "startedAt": "2026-11-20T15:12:33Z"}</code>.
 * Written by the owner while it listens, read by client commands. Blocks.
 */
public final class ServerFile {
    static final String NAME = "server.json";

    private final Path folder;
    private final Path file;

    ServerFile(Path folder) {
        this.folder = folder;
        this.file = folder.resolve(NAME);
    }

    /** Replaces the file. */
    public void write(ServerAddress address) {
        try {
            String json = Json.MAPPER.writeValueAsString(address.at(FileId.of(folder), BootId.current()));
            AtomicFile.replaceDurably(file, json + "\n");
        } catch (IOException refused) {
            throw new DataFolderException(file + " cannot be written: " + refused, refused);
        }
    }

    /**
     * The living owner's address; empty when there is none, or the file was left by one that died or came with a copy of
     * another folder.
     */
    public Optional<ServerAddress> read() {
        return written().filter(this::isOfThisFolder).filter(this::isAlive);
    }

    /** Whether the file was copied with another data folder, and names that folder's owner. */
    boolean isCopied() {
        return written().filter(address -> !isOfThisFolder(address)).isPresent();
    }

    /** The pid of the original's owner, where it lives and this came with a copy. */
    Optional<Long> ownerOfOriginal() {
        return written()
                .filter(address -> !isOfThisFolder(address))
                .filter(this::isAlive)
                .map(ServerAddress::pid);
    }

    private boolean isOfThisFolder(ServerAddress address) {
        return address.folder().isEmpty() || address.folder().equals(FileId.of(folder));
    }

    private Optional<ServerAddress> written() {
        try {
            return Optional.of(ServerAddress.of(Json.MAPPER.readTree(Files.readString(file))));
        } catch (IOException | DateTimeException absentOrUnreadable) {
            return Optional.empty();
        }
    }

    /** Removes the file when the owner ends in order; does nothing without a file. */
    public void remove() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException refused) {
            throw new DataFolderException(file + " cannot be removed: " + refused, refused);
        }
    }

    private boolean isAlive(ServerAddress address) {
        return address.url() != null
                && address.startedAt() != null
                && address.mayBeOf(BootId.current())
                && address.pid() == OwnerLock.writtenPid(folder)
                && ProcessHandle.of(address.pid())
                        .filter(process -> isNotRecycled(process, address.startedAt()))
                        .isPresent();
    }

    /** A process that began after the server did only carries its number. */
    private static boolean isNotRecycled(ProcessHandle process, Instant serverStart) {
        Optional<Instant> began = process.info().startInstant();
        return process.isAlive()
                && began.map(start -> !start.minusSeconds(1).isAfter(serverStart))
                        .orElse(true);
    }
}
