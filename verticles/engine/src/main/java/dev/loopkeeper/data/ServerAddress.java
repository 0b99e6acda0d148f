package dev.loopkeeper.data;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * The address of the server that owns a data folder.
 *
 * @param url e.g. {@code http://127.0.0.1:7345}
 * @param pid of the owner
 * @param startedAt when it began to listen
 * @param certificate file with the certificate that it shows, which clients of this folder trust; absent: plain HTTP
 * @param secret required by a server without tokens once an agent in a sandbox runs
 * @param folder the data folder itself, so that a copy of it does not lead to the server of the original; absent before
 *     the first write, and if unknown
 * @param boot boot id of the pid's machine; absent if unknown
 */
public record ServerAddress(
        String url,
        long pid,
        Instant startedAt,
        Optional<String> certificate,
        Optional<String> secret,
        Optional<FileId> folder,
        Optional<String> boot) {
    /** Reads field by field: binding the record would take a tenth of the time of most commands. */
    static ServerAddress of(JsonNode json) {
        JsonNode id = json.path("folder");
        return new ServerAddress(
                json.path("url").textValue(),
                json.path("pid").asLong(),
                json.hasNonNull("startedAt")
                        ? Instant.parse(json.path("startedAt").asText())
                        : null,
                Optional.ofNullable(json.path("certificate").textValue()),
                Optional.ofNullable(json.path("secret").textValue()),
                id.isObject()
                        ? Optional.of(new FileId(
                                id.path("device").asLong(), id.path("inode").asLong()))
                        : Optional.empty(),
                Optional.ofNullable(json.path("boot").textValue()));
    }

    /** To be written. */
    public ServerAddress(
            String url, long pid, Instant startedAt, Optional<String> certificate, Optional<String> secret) {
        this(url, pid, startedAt, certificate, secret, Optional.empty(), Optional.empty());
    }

    /** Plain HTTP. */
    public ServerAddress(String url, long pid, Instant startedAt) {
        this(url, pid, startedAt, Optional.empty(), Optional.empty());
    }

    ServerAddress at(Optional<FileId> dataFolder, Optional<String> bootId) {
        return new ServerAddress(url, pid, startedAt, certificate, secret, dataFolder, bootId);
    }

    /**
     * Whether the pid may be one of that start of a machine: a copy that was restored on another machine names the number of
     * any process there. An unknown value on either side is treated as the same.
     */
    boolean mayBeOf(Optional<String> bootId) {
        return boot.isEmpty() || bootId.isEmpty() || boot.equals(bootId);
    }
}
