package dev.loopkeeper.gateway;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the gateway listens and what it lets through.
 *
 * @param host name or address to bind; default {@code 127.0.0.1}
 * @param port 0 to 65535; 0 picks a free one
 * @param dataFolder where the logs of the steps are
 * @param tokenFile see {@link Tokens}; needed to bind elsewhere than loopback
 * @param maxBodyBytes a larger request body is refused, 1 or more; default 4 MiB
 * @param patience how long a verticle may take to answer, above zero; default 15 s
 */
public record GatewayOptions(
        String host,
        int port,
        Path dataFolder,
        Optional<Path> tokenFile,
        int maxBodyBytes,
        Duration patience,
        FeedOptions feed) {
    /** The address that only this machine reaches. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final int FOUR_MEBIBYTES = 4 << 20;
    private static final Duration FIFTEEN_SECONDS = Duration.ofSeconds(15);

    /** Refuses what cannot be bound or would refuse everything. */
    public GatewayOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be blank");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
        }
        if (maxBodyBytes < 1) {
            throw new IllegalArgumentException("maxBodyBytes must be > 0, was " + maxBodyBytes);
        }
        if (patience.toMillis() < 1) {
            throw new IllegalArgumentException("patience must be at least 1ms, was " + patience);
        }
    }

    /** The defaults on this port of the loopback address. */
    public static GatewayOptions loopback(int port, Path dataFolder) {
        return new GatewayOptions(
                LOOPBACK, port, dataFolder, Optional.empty(), FOUR_MEBIBYTES, FIFTEEN_SECONDS, FeedOptions.DEFAULTS);
    }

    /** The same, bound elsewhere and with these tokens. */
    public GatewayOptions on(String otherHost, Optional<Path> tokens) {
        return new GatewayOptions(otherHost, port, dataFolder, tokens, maxBodyBytes, patience, feed);
    }

    /** The same with another patience. */
    public GatewayOptions patient(Duration other) {
        return new GatewayOptions(host, port, dataFolder, tokenFile, maxBodyBytes, other, feed);
    }

    /** The same with other limits of the feed. */
    public GatewayOptions feeding(FeedOptions other) {
        return new GatewayOptions(host, port, dataFolder, tokenFile, maxBodyBytes, patience, other);
    }
}
