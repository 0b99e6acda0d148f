package dev.loopkeeper.work;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class WallTimerTest {
    private static final Instant BEGIN = Instant.parse("2026-11-20T22:00:00Z");

    private final AtomicReference<Instant> clock = new AtomicReference<>(BEGIN);
    private final AtomicInteger looks = new AtomicInteger();

    private Instant now() {
        looks.incrementAndGet();
        return clock.get();
    }

    /** The timer of the event loop knows nothing of the hours that a suspend took. */
    @Test
    void aTimeThatPassedDuringASuspendIsNoticedAtTheNextLook(Vertx vertx) throws Exception {
        Promise<Instant> ran = Promise.promise();
        WallTimer unused =
                new WallTimer(vertx, this::now, ofMillis(5), BEGIN.plus(ofHours(2)), () -> ran.complete(clock.get()));
        Instant awake = BEGIN.plus(ofHours(3));

        clock.set(awake);

        assertThat(ran.future().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(awake);
    }

    @Test
    void beforeItsTimeItOnlyReadsTheClock(Vertx vertx) {
        AtomicInteger runs = new AtomicInteger();
        WallTimer timer = new WallTimer(vertx, this::now, ofMillis(2), BEGIN.plus(ofHours(2)), runs::incrementAndGet);

        await().until(() -> looks.get() > 10);
        timer.cancel();

        assertThat(runs).hasValue(0);
    }

    @Test
    void aTimeThatHasPassedRunsAtOnce(Vertx vertx) throws Exception {
        Promise<Void> ran = Promise.promise();

        WallTimer unused = new WallTimer(vertx, this::now, ofHours(1), BEGIN.minus(ofHours(1)), ran::complete);

        ran.future().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
