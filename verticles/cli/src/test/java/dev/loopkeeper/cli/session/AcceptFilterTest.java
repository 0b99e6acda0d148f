package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A server without a descriptor for its clients wrote a stack trace each second. */
@Isolated("reads the log of the process, or changes what it has once")
class AcceptFilterTest {
    private final LoggerContext context = new LoggerContext();
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Logger netty = context.getLogger("io.netty.channel.DefaultChannelPipeline");

    private void filter(Duration quiet) {
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
        context.addTurboFilter(new AcceptFilter(context.getLogger("own"), quiet));
    }

    private void refuse(String why) {
        netty.warn("An exceptionCaught() event was fired", new IOException(why));
    }

    @Test
    void itIsToldOnceWithTheRemedy() {
        filter(Duration.ofMinutes(1));
        for (int second = 0; second < 5; second++) {
            refuse("Too many open files");
        }

        assertThat(logged).singleElement().asString().contains("new connections have to wait", "ulimit -n");
    }

    @Test
    void thatItIsOverIsToldAndSoIsTheNextTime() {
        filter(Duration.ofMillis(1));
        refuse("Too many open files");
        Awaitility.await().until(() -> logged.contains("new connections are accepted again"));
        refuse("Too many open files");
        Awaitility.await().until(() -> logged.size() == 4);

        assertThat(logged.get(2)).contains("new connections have to wait");
    }

    @Test
    void whatElseNettyWarnsOfIsLoggedAsItWas() {
        filter(Duration.ofMinutes(1));
        refuse("Connection reset by peer");

        assertThat(logged).containsExactly("An exceptionCaught() event was fired");
    }
}
