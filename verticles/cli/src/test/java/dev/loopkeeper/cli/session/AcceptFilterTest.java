package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A server without a descriptor for its clients wrote a stack trace each second. */
@Isolated("reads the log of the process, or changes what it has once")
class AcceptFilterTest {
    private final LoggerContext context = new LoggerContext();
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final Logger netty = context.getLogger("io.netty.channel.DefaultChannelPipeline");

    private void filter() {
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                logged.add(event.getFormattedMessage());
            }
        };
        appender.setContext(context);
        appender.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
        context.addTurboFilter(new AcceptFilter(context.getLogger("own"), nanos::get));
    }

    private void refuse(String why) {
        netty.warn("An exceptionCaught() event was fired", new IOException(why));
    }

    @Test
    void logsItOnceWithTheRemedy() {
        filter();
        for (int second = 0; second < 5; second++) {
            refuse("Too many open files");
        }

        assertThat(logged).singleElement().asString().contains("new connections have to wait", "ulimit -n");
    }

    @Test
    void aMinuteLaterItIsLoggedAgain() {
        filter();
        refuse("Too many open files");
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        refuse("Too many open files");

        assertThat(logged).hasSize(2);
    }

    @Test
    void whatElseNettyWarnsOfIsLoggedAsItWas() {
        filter();
        refuse("Connection reset by peer");

        assertThat(logged).containsExactly("An exceptionCaught() event was fired");
    }
}
