package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreQueueTest {
    private static final Duration NEVER = Duration.ofMinutes(5);

    private final Vertx vertx = Vertx.vertx();
    private final List<String> begun = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private StoreQueue queue(int most, Duration wait) {
        return new StoreQueue(vertx, "events.db", most, wait, NEVER);
    }

    @CanIgnoreReturnValue
    private <T> T on(Supplier<T> work) {
        Promise<T> done = Promise.promise();
        vertx.runOnContext(turn -> done.complete(work.get()));
        return await(done.future());
    }

    private Supplier<Future<String>> work(String name, Future<String> answer) {
        return () -> {
            begun.add(name);
            return answer;
        };
    }

    @Test
    void oneIsAskedAfterTheOther() {
        Promise<String> first = Promise.promise();
        StoreQueue queue = queue(10, NEVER);
        List<Future<String>> answers = on(() -> List.of(
                queue.ask(work("first", first.future())), queue.ask(work("second", Future.succeededFuture("2")))));
        assertThat(begun).containsExactly("first");

        on(() -> first.tryComplete("1"));

        assertThat(await(answers.get(0))).isEqualTo("1");
        assertThat(await(answers.get(1))).isEqualTo("2");
    }

    @Test
    void oneThatIsNotAnsweredIsGivenUpAndKeepsItsPlaceUntilItIsOver() {
        Promise<String> hung = Promise.promise();
        StoreQueue queue = new StoreQueue(vertx, "events.db", 10, NEVER, Duration.ofMillis(1));
        Future<String> answer = on(() -> queue.ask(work("hung", hung.future())));

        assertThat(failure(answer))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no answer to a request after 1 ms");
        Future<String> next = on(() -> queue.ask(work("next", Future.succeededFuture("2"))));
        assertThat(begun).containsExactly("hung");
        on(() -> hung.tryComplete("1"));
        assertThat(await(next)).isEqualTo("2");
    }

    @Test
    void moreThanMayWaitAreRefusedAtOnceAndNeverAsked() {
        Promise<String> hung = Promise.promise();
        StoreQueue queue = queue(2, NEVER);
        List<Future<String>> answers = on(() -> List.of(
                queue.ask(work("hung", hung.future())),
                queue.ask(work("second", Future.succeededFuture("2"))),
                queue.ask(work("third", Future.succeededFuture("3"))),
                queue.ask(work("fourth", Future.succeededFuture("4")))));

        assertThat(failure(answers.get(3)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("events.db")
                .hasMessageContaining("2 requests");
        on(() -> hung.tryComplete("1"));
        assertThat(await(answers.get(2))).isEqualTo("3");
        assertThat(begun).containsExactly("hung", "second", "third");
    }

    @Test
    void whatHasWaitedTooLongIsGivenUpAndNeverAsked() {
        Promise<String> hung = Promise.promise();
        StoreQueue queue = queue(10, Duration.ofMillis(20));
        List<Future<String>> answers = on(() ->
                List.of(queue.ask(work("hung", hung.future())), queue.ask(work("late", Future.succeededFuture("2")))));

        assertThat(failure(answers.get(1))).isInstanceOf(StoreUnavailableException.class);
        on(() -> hung.tryComplete("1"));

        assertThat(await(on(() -> queue.ask(work("next", Future.succeededFuture("3"))))))
                .isEqualTo("3");
        assertThat(begun).containsExactly("hung", "next");
    }

    @Test
    void whatBreaksHoldsNothingUp() {
        Promise<String> first = Promise.promise();
        StoreQueue queue = queue(5_000, NEVER);
        List<Future<String>> answers = on(() -> {
            List<Future<String>> all = new ArrayList<>();
            all.add(queue.ask(work("first", first.future())));
            for (int number = 0; number < 5_000; number++) {
                all.add(queue.ask(() -> {
                    throw new StackOverflowError("of a test");
                }));
            }
            return all;
        });

        on(() -> first.tryFail(new StoreException("of a test", null)));

        assertThat(await(Future.join(answers).otherwiseEmpty().map(true))).isTrue();
        assertThat(answers).allMatch(Future::failed);
        assertThat(await(on(() -> queue.ask(work("next", Future.succeededFuture("3"))))))
                .isEqualTo("3");
    }
}
