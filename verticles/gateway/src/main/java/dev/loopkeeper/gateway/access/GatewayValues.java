package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.feed.FeedOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The parts of {@link GatewayOptions}. */
record GatewayValues(
        String host,
        int port,
        Path dataFolder,
        Admission admission,
        GatewayLimits limits,
        Duration patience,
        FeedOptions feed,
        Optional<MeterRegistry> meters)
        implements GatewayOptions {
    /** Fails with {@link IllegalArgumentException} for values outside these ranges. */
    GatewayValues {
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
}
