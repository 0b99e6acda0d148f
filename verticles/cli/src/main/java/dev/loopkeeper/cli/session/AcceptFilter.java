package dev.loopkeeper.cli.session;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.loopkeeper.contract.ResourceExhaustedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Marker;

/**
 * Logs once when a server has no file descriptor left for new clients, and once when it accepts clients again.
 * Suppresses the stack trace that Netty logs at each attempt, one per second.
 */
final class AcceptFilter extends TurboFilter {
    private static final String NETTY = "io.netty.channel.DefaultChannelPipeline";
    /** The time of three attempts of Netty. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final org.slf4j.Logger log;
    private final Duration quiet;
    /** Null while the server accepts clients; otherwise counted down by the next failure. */
    private CountDownLatch again;

    AcceptFilter(LoggerContext context) {
        this(context.getLogger("dev.loopkeeper.gateway.Connections"), QUIET);
    }

    /** @param quiet without another failure for this long, the server accepts clients again */
    AcceptFilter(org.slf4j.Logger log, Duration quiet) {
        this.log = log;
        this.quiet = quiet;
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
        if (isFirst()) {
            log.warn("new connections have to wait: {}", none.get().getMessage());
            Thread watch = new Thread(this::watch, "loopkeeper-accept-watch");
            watch.setDaemon(true);
            begin(watch);
        }
        return FilterReply.DENY;
    }

    private void begin(Thread watch) {
        try {
            watch.start();
        } catch (OutOfMemoryError noThread) {
            forget(); // no thread can log the end, so the next failure is logged as well
        }
    }

    private synchronized void forget() {
        again = null;
    }

    private synchronized boolean isFirst() {
        boolean first = again == null;
        if (!first) {
            again.countDown();
        }
        again = new CountDownLatch(1);
        return first;
    }

    private void watch() {
        try {
            CountDownLatch sign = current();
            while (sign.await(quiet.toMillis(), TimeUnit.MILLISECONDS) || !isOver(sign)) {
                sign = current();
            }
            log.warn("new connections are accepted again");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized CountDownLatch current() {
        return again;
    }

    private synchronized boolean isOver(CountDownLatch last) {
        boolean over = again == last;
        if (over) {
            again = null;
        }
        return over;
    }
}
