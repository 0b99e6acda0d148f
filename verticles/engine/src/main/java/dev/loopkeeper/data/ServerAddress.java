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
 */
public record ServerAddress(
        String url, long pid, Instant startedAt, Optional<String> certificate, Optional<FileId> folder) {
    public ServerAddress {
        // Files of older versions have neither.
        certificate = certificate == null ? Optional.empty() : certificate;
        folder = folder == null ? Optional.empty() : folder;
    }

    /** To be written. */
    public ServerAddress(String url, long pid, Instant startedAt, Optional<String> certificate) {
        this(url, pid, startedAt, certificate, Optional.empty());
    }

    /** Plain HTTP. */
    public ServerAddress(String url, long pid, Instant startedAt) {
        this(url, pid, startedAt, Optional.empty());
    }

    ServerAddress in(Optional<FileId> dataFolder) {
        return new ServerAddress(url, pid, startedAt, certificate, dataFolder);
    }
}
