package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a pool. */
class WorkersTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void closeVertx() throws Exception {
        released.countDown();
        soon(vertx.close());
    }

    private static <T> T soon(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private Future<String> hold(Workers workers) throws InterruptedException {
        Future<String> held = workers.executeBlocking(
                () -> {
                    begun.countDown();
                    released.await();
                    return "done";
                },
                false);
        assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return held;
    }

    @Test
    void aCloseWaitsForTheWorkUnderWayAndForWhatWaitsBehindIt() throws Exception {
        Workers workers = new Workers(vertx, "waited-for", 1, LONG);
        Future<String> held = hold(workers);
        Future<String> behind = workers.executeBlocking(() -> "done too", false);
        Future<Void> closed = workers.close();
        assertThat(closed.isComplete()).isFalse();
        released.countDown();
        soon(closed);
        assertThat(held.result()).isEqualTo("done");
        assertThat(behind.result()).isEqualTo("done too");
    }

    @Test
    void workThatComesAfterTheCloseFailsAndDoesNotThrow() throws Exception {
        Workers workers = Workers.of(vertx, "closed", 1);
        soon(workers.close());
        Future<String> late = workers.executeBlocking(() -> "late", false);
        assertThatThrownBy(() -> soon(late))
                .hasCauseInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed takes no more work");
    }

    @Test
    void workThatDoesNotEndIsCutOff() throws Exception {
        Workers workers = new Workers(vertx, "cut-off", 1, Duration.ofMillis(20));
        Future<String> held = hold(workers);
        soon(workers.close());
        assertThatThrownBy(() -> soon(held)).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void aPoolThatVertxClosedRefusesWorkAndCanBeClosed() throws Exception {
        Workers workers = Workers.of(vertx, "gone", 1);
        soon(vertx.close());
        assertThat(workers.executeBlocking(() -> "late", false).failed()).isTrue();
        assertThat(workers.close().succeeded()).isTrue();
    }
}
