package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SerialTasksTest {
    private static final long PATIENCE_SECONDS = 60;
    private final RuntimeException givenUp = new IllegalStateException("given up");

    private final Vertx vertx = Vertx.vertx();
    private final WorkerExecutor workers = vertx.createSharedWorkerExecutor("few", 1);
    private final SerialTasks turns = new SerialTasks(workers);
    private final CountDownLatch mayContinue = new CountDownLatch(1);
    private final List<String> done = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeVertx() throws Exception {
        mayContinue.countDown();
        assertThat(vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    private <T> T await(Future<T> future) throws Exception {
        return future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** All on one context. */
    private <T> T onContext(Supplier<T> work) throws Exception {
        Promise<T> found = Promise.promise();
        vertx.runOnContext(turn -> found.complete(work.get()));
        return await(found.future());
    }

    private Future<String> work(String key, String name) {
        return turns.take(key, name, () -> {
            done.add(name);
            return name;
        });
    }

    private Future<String> work(String key, String name, CountDownLatch begun) {
        return turns.take(key, name, () -> {
            begun.countDown();
            mayContinue.await();
            done.add(name);
            return name;
        });
    }

    /** The first is at work, the second waits for its turn, the third for a thread. */
    /** It failed with a NullPointerException though it was done. */
    @Test
    void workThatHasNothingToAnswerIsDone() throws Exception {
        Future<Void> cleared = onContext(() -> turns.<Void>take("one", () -> {
            done.add("cleared");
            return null;
        }));

        assertThat(await(cleared)).isNull();
        assertThat(done).containsExactly("cleared");
    }

    @Test
    void whatWaitsIsGivenUpAtOnceAndItsTurnPassesBy() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        List<Future<String>> asked = onContext(() -> List.of(
                work("one", "first", begun), work("one", "second"), work("two", "third"), work("one", "fourth")));
        begun.await();

        assertThat(onContext(() -> turns.giveUp("second", givenUp))).isEqualTo(1);
        assertThat(onContext(() -> turns.giveUp("third", givenUp))).isEqualTo(1);

        assertThatThrownBy(() -> await(asked.get(1))).isSameAs(givenUp);
        assertThatThrownBy(() -> await(asked.get(2))).isSameAs(givenUp);
        assertThat(asked.get(0).isComplete()).isFalse();
        assertThat(asked.get(3).isComplete()).isFalse();
        mayContinue.countDown();
        assertThat(await(asked.get(3))).isEqualTo("fourth");
        assertThat(done).containsExactly("first", "fourth");
    }

    @Test
    void whatIsAtWorkOrDoneIsNotGivenUp() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Future<String> asked = onContext(() -> work("one", "first", begun));
        begun.await();

        assertThat(onContext(() -> turns.giveUp("first", givenUp))).isZero();
        mayContinue.countDown();
        assertThat(await(asked)).isEqualTo("first");
        assertThat(onContext(() -> turns.giveUp("first", givenUp))).isZero();
    }

    @Test
    void theNextTurnComesAfterWorkThatFails() throws Exception {
        Future<String> failed = onContext(() -> turns.take("one", () -> {
            throw givenUp;
        }));
        Future<String> next = onContext(() -> work("one", "next"));

        assertThatThrownBy(() -> await(failed)).isSameAs(givenUp);
        assertThat(await(next)).isEqualTo("next");
    }
}
