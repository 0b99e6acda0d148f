package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.feed.FeedOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.handler.AuthenticationHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Address, access and limits of the gateway. Immutable. */
public sealed interface GatewayOptions permits GatewayValues {
    /** Address that only this machine reaches. */
    String LOOPBACK = "127.0.0.1";

    /** Name or address to bind; default {@link #LOOPBACK}. */
    String host();

    /** 0 to 65535; 0 picks a free one. */
    int port();

    /** Contains the logs of steps. */
    Path dataFolder();

    Admission admission();

    GatewayLimits limits();

    /** Time limit for answers of verticles, above zero; default 15 s. */
    Duration patience();

    FeedOptions feed();

    /** Has the metrics too, beside {@code /metrics}. */
    Optional<MeterRegistry> meters();

    /** Returns the defaults on this port of the loopback address. */
    static GatewayOptions loopback(int port, Path dataFolder) {
        return new GatewayValues(
                LOOPBACK,
                port,
                dataFolder,
                Admission.LOCAL,
                GatewayLimits.DEFAULTS,
                Duration.ofSeconds(15),
                FeedOptions.DEFAULTS,
                Optional.empty());
    }

    /** Returns the options for another host with these tokens. */
    default GatewayOptions on(String otherHost, Optional<Path> tokens) {
        return new GatewayValues(
                otherHost, port(), dataFolder(), admission().tokens(tokens), limits(), patience(), feed(), meters());
    }

    /** Returns the options with this access. */
    default GatewayOptions admitting(Admission other) {
        return new GatewayValues(host(), port(), dataFolder(), other, limits(), patience(), feed(), meters());
    }

    /** Returns the options with these limits. */
    default GatewayOptions limited(GatewayLimits other) {
        return new GatewayValues(host(), port(), dataFolder(), admission(), other, patience(), feed(), meters());
    }

    /** Returns the options with this time limit. */
    default GatewayOptions patient(Duration other) {
        return new GatewayValues(host(), port(), dataFolder(), admission(), limits(), other, feed(), meters());
    }

    /** Returns the options with these limits of the feed. */
    default GatewayOptions feeding(FeedOptions other) {
        return new GatewayValues(host(), port(), dataFolder(), admission(), limits(), patience(), other, meters());
    }

    /** Returns the options for {@code Gateway.router}, which has no host and port of its own. */
    static GatewayOptions mounted(Path dataFolder) {
        return loopback(0, dataFolder);
    }

    /** Returns the options with callers that this handler identifies, in place of tokens. */
    default GatewayOptions authenticated(AuthenticationHandler handler) {
        return admitting(admission().authenticated(handler));
    }

    /** Returns the options with metrics in this registry too. */
    default GatewayOptions metered(MeterRegistry registry) {
        return new GatewayValues(
                host(), port(), dataFolder(), admission(), limits(), patience(), feed(), Optional.of(registry));
    }
}
