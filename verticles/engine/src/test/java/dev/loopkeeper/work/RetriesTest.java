package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Attempts on timers that the test fires. */
class RetriesTest {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Queue<Handler<Long>> timers = new ArrayDeque<>();
    private final AtomicInteger attempts = new AtomicInteger();

    @SuppressWarnings("unchecked")
    private final Vertx vertx = (Vertx) Proxy.newProxyInstance(
            Vertx.class.getClassLoader(), new Class<?>[] {Vertx.class}, (self, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("setTimer");
                assertThat(arguments[0]).isEqualTo(PAUSE.toMillis());
                timers.add((Handler<Long>) arguments[1]);
                return (long) timers.size();
            });

    private Future<Integer> failing(int failures) {
        int attempt = attempts.incrementAndGet();
        return attempt <= failures
                ? Future.failedFuture(new IllegalStateException("attempt " + attempt))
                : Future.succeededFuture(attempt);
    }

    private void fireAll() {
        while (!timers.isEmpty()) {
            timers.remove().handle(0L);
        }
    }

    /** A database that is away for a day is asked each second; a chain of so many futures overflowed the stack. */
    @Test
    void endsAfterAnyNumberOfFailures() {
        int day = 86_400;
        Future<Integer> done = Retries.every(vertx, PAUSE, cause -> true, () -> failing(day));

        fireAll();

        assertThat(done.result()).isEqualTo(day + 1);
    }

    @Test
    void failsWithTheFirstFailureThatIsFinal() {
        Future<Integer> done = Retries.every(
                vertx, PAUSE, cause -> !"attempt 3".equals(cause.getMessage()), () -> failing(Integer.MAX_VALUE));

        fireAll();

        assertThat(done.cause()).hasMessage("attempt 3");
        assertThat(attempts).hasValue(3);
    }

    @Test
    void failsIfTheDecisionThrows() {
        Future<Integer> done = Retries.every(
                vertx,
                PAUSE,
                cause -> {
                    throw new AssertionError("undecided");
                },
                () -> failing(1));

        fireAll();

        assertThat(done.cause()).hasMessage("undecided");
    }

    @Test
    void repeatsAnAttemptThatThrows() {
        Future<Integer> done = Retries.every(vertx, PAUSE, cause -> true, () -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("at once");
            }
            return failing(0);
        });

        fireAll();

        assertThat(done.succeeded()).isTrue();
    }
}
