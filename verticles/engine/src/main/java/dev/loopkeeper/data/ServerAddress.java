package dev.loopkeeper.data;

import java.time.Instant;
import java.util.Optional;

/**
 * How the owner of a data folder is reached.
 *
 * @param url e.g. {@code http://127.0.0.1:7345}
 * @param pid of the owner
 * @param startedAt when it began to listen
 * @param certificate file with the certificate that it shows, which clients of this folder trust; absent: plain HTTP
 * @param folder the data folder itself, so that a copy of it does not lead to the server of the original; absent until it
 *     is written, and where that cannot be found out
 * @param boot which start of the machine the pid is of; absent like that
 */
public record ServerAddress(
        String url,
        long pid,
        Instant startedAt,
        Optional<String> certificate,
        Optional<FileId> folder,
        Optional<String> boot) {
    public ServerAddress {
        // Files of older versions have none of them.
        certificate = certificate == null ? Optional.empty() : certificate;
        folder = folder == null ? Optional.empty() : folder;
        boot = boot == null ? Optional.empty() : boot;
    }

    /** To be written. */
    public ServerAddress(String url, long pid, Instant startedAt, Optional<String> certificate) {
        this(url, pid, startedAt, certificate, Optional.empty(), Optional.empty());
    }

    /** Plain HTTP. */
    public ServerAddress(String url, long pid, Instant startedAt) {
        this(url, pid, startedAt, Optional.empty());
    }

    ServerAddress at(Optional<FileId> dataFolder, Optional<String> bootId) {
        return new ServerAddress(url, pid, startedAt, certificate, dataFolder, bootId);
    }

    /**
     * Whether the pid may be one of that start of a machine: a copy that was restored on another machine names the number of
     * any process there. What is not known on either side counts as the same.
     */
    boolean mayBeOf(Optional<String> bootId) {
        return boot.isEmpty() || bootId.isEmpty() || boot.equals(bootId);
    }
}
