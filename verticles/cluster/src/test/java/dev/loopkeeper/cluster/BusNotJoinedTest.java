package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.store.postgres.NodeHints;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log of the process, or changes what it has once")
class BusNotJoinedTest {
    private static final int REFUSED = 20;

    private final Vertx vertx = Vertx.vertx();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(NodeBus.class);

    BusNotJoinedTest() {
        // Read while another thread logs.
        logged.list = new CopyOnWriteArrayList<>();
    }

    @AfterEach
    void close() {
        log.detachAppender(logged);
        log.setLevel(null);
        await(vertx.close());
    }

    /** Refuses the first few. */
    private BusSource reluctant() {
        AtomicInteger asked = new AtomicInteger();
        BusSource willing = BusSource.embedders(vertx);
        return new BusSource(
                () -> asked.incrementAndGet() <= REFUSED
                        ? Future.failedFuture("nobody is there")
                        : willing.join().get(),
                willing.leave());
    }

    /** It was reported each five seconds, for as long as it lasted. */
    @Test
    void logsAnUnjoinedBusOnceAndItsJoin() {
        logged.start();
        log.addAppender(logged);
        log.setLevel(Level.INFO);
        NodeBus bus = new NodeBus(vertx, "n1", new NodeHints(), reluctant(), Duration.ofMillis(1));

        bus.open(() -> Future.succeededFuture("db"));

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> logged.list.stream()
                        .anyMatch(line -> line.getFormattedMessage().equals("joined the cluster's event bus")));
        await(bus.close());
        assertThat(logged.list)
                .filteredOn(line -> line.getFormattedMessage().contains("is not joined"))
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("once a minute", "nobody is there"));
    }
}
