package dev.loopkeeper.work;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = SECONDS)
class WakeupsTest {
    private static final Duration VERY_LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Wakeups wakeups = new Wakeups();

    @Test
    void wakesASleepingThread() throws InterruptedException {
        CountDownLatch awake = new CountDownLatch(1);
        Thread sleeper = new Thread(() -> {
            try {
                wakeups.await(VERY_LONG);
                awake.countDown();
            } catch (InterruptedException asked) {
                Thread.currentThread().interrupt();
            }
        });
        sleeper.start();
        wakeups.wake();
        assertThat(awake.await(60, SECONDS)).isTrue();
    }

    @Test
    void whatHappenedBeforeIsNotMissed() throws InterruptedException {
        wakeups.wake();
        wakeups.wake();
        wakeups.await(VERY_LONG);

        long begun = System.nanoTime();
        wakeups.await(SHORT); // both were one
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
    }
}
