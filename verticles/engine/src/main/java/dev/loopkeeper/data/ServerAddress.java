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
 */
public record ServerAddress(String url, long pid, Instant startedAt, Optional<String> certificate) {
    public ServerAddress {
        // Files of older versions have none.
        certificate = certificate == null ? Optional.empty() : certificate;
    }

    /** Plain HTTP. */
    public ServerAddress(String url, long pid, Instant startedAt) {
        this(url, pid, startedAt, Optional.empty());
    }
}
