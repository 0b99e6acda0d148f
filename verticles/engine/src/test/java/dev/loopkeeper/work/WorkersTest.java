package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** It was thrown at the caller, and the close waited for work that was lost. */
    @ParameterizedTest
    @ValueSource(ints = {2, Integer.MAX_VALUE})
    void workWaitsForAThreadThatTheMachineDoesNotHave(int refusals) throws Exception {
        WorkerExecutor pool = vertx.createSharedWorkerExecutor("late", 1);
        AtomicInteger asked = new AtomicInteger();
        WorkerExecutor late = new WorkerExecutor() {
            @Override
            public <T> Future<T> executeBlocking(Callable<T> work, boolean ordered) {
                if (asked.incrementAndGet() <= refusals) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return pool.executeBlocking(work, ordered);
            }

            @Override
            public Future<Void> close() {
                return pool.close();
            }

            @Override
            public boolean isMetricsEnabled() {
                return false;
            }
        };
        boolean comes = refusals < Integer.MAX_VALUE;
        Workers workers = new Workers(vertx, "late", late, comes ? LONG : Duration.ofMillis(1));

        Future<String> work = workers.executeBlocking(() -> "done", false);

        if (comes) {
            assertThat(soon(work)).isEqualTo("done");
        } else {
            assertThatThrownBy(() -> soon(work)).hasMessageContaining("native thread");
        }
        soon(workers.close());
    }

    @Test
    void workThatComesAfterTheCloseFailsAndDoesNotThrow() throws Exception {
        Workers workers = Workers.of(vertx, "closed", 1);
        soon(workers.close());
        Future<String> late = workers.executeBlocking(() -> "late", false);
        assertThatThrownBy(() -> soon(late))
                .hasCauseInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed accepts no more work");
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
