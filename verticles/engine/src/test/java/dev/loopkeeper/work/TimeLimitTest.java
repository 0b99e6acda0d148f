package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeLimitTest {
    private static final int SOON = 60;
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Vertx vertx = Vertx.vertx();
    private final Context here = vertx.getOrCreateContext();
    private final Promise<String> awaited = Promise.promise();

    @AfterEach
    void closeVertx() throws Exception {
        assertThat(vertx.close().await(SOON, TimeUnit.SECONDS)).isNull();
    }

    /** What came of it, and where that was reported. */
    private record Outcome(String result, Throwable cause, Context on, Thread by) {}

    /** How often it was reported. */
    private final AtomicInteger times = new AtomicInteger();

    private CompletableFuture<Outcome> within(Duration patience) throws Exception {
        CompletableFuture<Outcome> reported = new CompletableFuture<>();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        here.runOnContext(now -> {
            TimeLimit.of(vertx, awaited.future(), patience).onComplete(done -> {
                times.incrementAndGet();
                reported.complete(
                        new Outcome(done.result(), done.cause(), Vertx.currentContext(), Thread.currentThread()));
            });
            asked.complete(null);
        });
        asked.get(SOON, TimeUnit.SECONDS);
        return reported;
    }

    private Outcome outcomeHere(CompletableFuture<Outcome> reported) throws Exception {
        Promise<Thread> own = Promise.promise();
        here.runOnContext(now -> own.complete(Thread.currentThread()));
        Outcome what = reported.get(SOON, TimeUnit.SECONDS);
        assertThat(what.on()).isSameAs(here);
        assertThat(what.by()).isSameAs(own.future().await(SOON, TimeUnit.SECONDS));
        return what;
    }

    /** It was reported on a thread of Netty's, where what belongs to the caller's context was changed beside it. */
    @Test
    void reportsATimeoutOnTheCallersContext() throws Exception {
        assertThat(outcomeHere(within(SHORT)).cause()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void reportsAnotherThreadsAnswerOnTheCallersContext() throws Exception {
        CompletableFuture<Outcome> reported = within(LONG);
        awaited.complete("yes"); // By the thread of the test.

        assertThat(outcomeHere(reported).result()).isEqualTo("yes");
    }

    @Test
    void reportsAnotherContextsFailureOnTheCallersContext() throws Exception {
        CompletableFuture<Outcome> reported = within(LONG);
        Vertx other = Vertx.vertx();
        other.runOnContext(now -> awaited.fail("no"));

        assertThat(outcomeHere(reported).cause()).hasMessage("no");
        assertThat(other.close().await(SOON, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void whatComesTooLateIsDropped() throws Exception {
        CompletableFuture<Outcome> reported = within(SHORT);
        assertThat(outcomeHere(reported).cause()).isInstanceOf(TimeoutException.class);
        awaited.complete("too late");

        // What would be reported has been by now.
        assertThat(outcomeHere(within(LONG)).result()).isEqualTo("too late");
        assertThat(times).hasValue(2);
    }
}
