package dev.loopkeeper.gateway.access;

import java.time.Duration;

/**
 * Limits of a gateway, so that no client can exhaust it.
 *
 * @param maxBodyBytes a larger request body is refused, 1 or more; default 4 MiB
 * @param requestsPerSecond sustained rate of one client address, with bursts of four seconds' worth; 0 = no limit,
 *     default 5000
 * @param maxConnections further ones are closed at once, 1 or more; default 4096
 * @param headTime time for a client to send the head of its first request, and the body of each; default 20 s
 * @param idleTime a connection without a request is closed after this; default 75 s
 */
public record GatewayLimits(
        int maxBodyBytes, int requestsPerSecond, int maxConnections, Duration headTime, Duration idleTime) {
    /** 4 MiB, 5000 requests a second, 4096 connections, 20 s, 75 s. */
    public static final GatewayLimits DEFAULTS =
            new GatewayLimits(4 << 20, 5000, 4096, Duration.ofSeconds(20), Duration.ofSeconds(75));

    /** Fails for limits outside these ranges. */
    public GatewayLimits {
        requireAtLeast(1, "maxBodyBytes", maxBodyBytes);
        requireAtLeast(0, "requestsPerSecond", requestsPerSecond);
        requireAtLeast(1, "maxConnections", maxConnections);
        requireAtLeast(1, "headTime in ms", headTime.toMillis());
        requireAtLeast(1, "idleTime in ms", idleTime.toMillis());
    }

    private static void requireAtLeast(long least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be " + least + " or more, was " + value);
        }
    }

    /** Returns the limits with another rate; 0 = no limit. */
    public GatewayLimits rate(int requests) {
        return new GatewayLimits(maxBodyBytes, requests, maxConnections, headTime, idleTime);
    }

    /** Returns the limits with another maximum of connections. */
    public GatewayLimits connections(int most) {
        return new GatewayLimits(maxBodyBytes, requestsPerSecond, most, headTime, idleTime);
    }
}
