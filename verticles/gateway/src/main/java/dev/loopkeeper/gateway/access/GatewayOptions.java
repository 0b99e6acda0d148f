package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.feed.FeedOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.handler.AuthenticationHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Address, access and limits of the gateway.
 *
 * @param host name or address to bind; default {@code 127.0.0.1}
 * @param port 0 to 65535; 0 picks a free one
 * @param dataFolder contains the logs of steps
 * @param patience time limit for answers of verticles, above zero; default 15 s
 * @param meters has the metrics too, beside {@code /metrics}
 */
public record GatewayOptions(
        String host,
        int port,
        Path dataFolder,
        Admission admission,
        GatewayLimits limits,
        Duration patience,
        FeedOptions feed,
        Optional<MeterRegistry> meters) {
    /** Address that only this machine reaches. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final Duration FIFTEEN_SECONDS = Duration.ofSeconds(15);

    /** Fails with {@link IllegalArgumentException} for values outside these ranges. */
    public GatewayOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be blank");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
        }
        if (patience.toMillis() < 1) {
            throw new IllegalArgumentException("patience must be at least 1ms, was " + patience);
        }
    }

    /** Returns the defaults on this port of the loopback address. */
    public static GatewayOptions loopback(int port, Path dataFolder) {
        return new GatewayOptions(
                LOOPBACK,
                port,
                dataFolder,
                Admission.LOCAL,
                GatewayLimits.DEFAULTS,
                FIFTEEN_SECONDS,
                FeedOptions.DEFAULTS,
                Optional.empty());
    }

    /** Returns the options for another host with these tokens. */
    public GatewayOptions on(String otherHost, Optional<Path> tokens) {
        return new GatewayOptions(
                otherHost, port, dataFolder, admission.tokens(tokens), limits, patience, feed, meters);
    }

    /** Returns the options with this access. */
    public GatewayOptions admitting(Admission other) {
        return new GatewayOptions(host, port, dataFolder, other, limits, patience, feed, meters);
    }

    /** Returns the options with these limits. */
    public GatewayOptions limited(GatewayLimits other) {
        return new GatewayOptions(host, port, dataFolder, admission, other, patience, feed, meters);
    }

    /** Returns the options with this time limit. */
    public GatewayOptions patient(Duration other) {
        return new GatewayOptions(host, port, dataFolder, admission, limits, other, feed, meters);
    }

    /** Returns the options with these limits of the feed. */
    public GatewayOptions feeding(FeedOptions other) {
        return new GatewayOptions(host, port, dataFolder, admission, limits, patience, other, meters);
    }

    /** Returns the options for {@code Gateway.router}, which has no host and port of its own. */
    public static GatewayOptions mounted(Path dataFolder) {
        return loopback(0, dataFolder);
    }

    /** Returns the options with callers that this handler identifies, in place of tokens. */
    public GatewayOptions authenticated(AuthenticationHandler handler) {
        return admitting(admission.authenticated(handler));
    }

    /** Returns the options with metrics in this registry too. */
    public GatewayOptions metered(MeterRegistry registry) {
        return new GatewayOptions(host, port, dataFolder, admission, limits, patience, feed, Optional.of(registry));
    }
}
