package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ActiveRuns;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OtherRunsTest {
    private final Vertx vertx = Vertx.vertx();
    private final OtherRuns runs = new OtherRuns(null, vertx.eventBus(), Duration.ofMillis(50));

    @BeforeEach
    void open() {
        RecordCodec.register(vertx);
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** The process ended, and with it the runs that it executed. */
    @Test
    void waitsForASchedulerThatAnswersLate() {
        AtomicInteger requests = new AtomicInteger();
        SchedulerChannels.DRAIN_IF_IDLE
                .serve(
                        vertx.eventBus(),
                        request -> requests.incrementAndGet() == 1
                                ? Promise.<ActiveRuns>promise().future()
                                : Future.succeededFuture(new ActiveRuns(true, List.of())))
                .await();

        runs.await();

        assertThat(requests).hasValue(2);
    }

    @Test
    void endsWhenTheSchedulerIsGone() {
        runs.await();
    }
}
