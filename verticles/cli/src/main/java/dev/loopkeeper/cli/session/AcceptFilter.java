package dev.loopkeeper.cli.session;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.work.LogThrottle;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Marker;

/**
 * Logs once a minute that a server has no file descriptor left for new clients. Suppresses the stack trace that Netty
 * logs at each attempt, one per second.
 */
final class AcceptFilter extends TurboFilter {
    private static final String NETTY = "io.netty.channel.DefaultChannelPipeline";

    private final org.slf4j.Logger log;
    private final LongSupplier nanos;
    private final LogThrottle throttle = new LogThrottle();

    AcceptFilter(org.slf4j.Logger log, LongSupplier nanos) {
        this.log = log;
        this.nanos = nanos;
    }

    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] parameters, Throwable failure) {
        if (!(failure instanceof IOException) || !logger.getName().equals(NETTY)) {
            return FilterReply.NEUTRAL;
        }
        Optional<ResourceExhaustedException> none = ResourceExhaustedException.in(failure);
        if (none.isEmpty()) {
            return FilterReply.NEUTRAL;
        }
        if (isDue()) {
            log.warn("new connections have to wait: {}", none.get().getMessage());
        }
        return FilterReply.DENY;
    }

    private synchronized boolean isDue() {
        return throttle.isDue("accept", nanos.getAsLong());
    }
}
