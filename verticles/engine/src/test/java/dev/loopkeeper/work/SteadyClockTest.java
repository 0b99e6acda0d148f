package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private Instant wall = NOON;
    private long nanos = 42;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

    private Instant after(Duration passed, Duration jump) {
        wall = wall.plus(passed).plus(jump);
        nanos += passed.toNanos();
        return clock.now();
    }

    @Test
    void showsTheWallClock() {
        assertThat(clock.now()).isEqualTo(NOON);
        assertThat(after(Duration.ofSeconds(5), Duration.ZERO)).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void keepsItsPaceWhenTheWallClockJumpsBack() {
        assertThat(after(Duration.ofSeconds(5), Duration.ofHours(-1))).isEqualTo(NOON.plusSeconds(5));
        assertThat(after(Duration.ofSeconds(30), Duration.ZERO)).isEqualTo(NOON.plusSeconds(35));
        assertThat(after(Duration.ofSeconds(1), Duration.ofHours(-9))).isEqualTo(NOON.plusSeconds(36));
    }

    @Test
    void followsAJumpForwardsAndTheWayBackToTheTrueTime() {
        assertThat(after(Duration.ofSeconds(5), Duration.ofHours(3)))
                .isEqualTo(NOON.plusSeconds(5).plus(Duration.ofHours(3)));
        assertThat(after(Duration.ofSeconds(5), Duration.ofHours(-3)))
                .isEqualTo(NOON.plusSeconds(10).plus(Duration.ofHours(3)));
        assertThat(after(Duration.ofSeconds(1), Duration.ofHours(4)))
                .isEqualTo(NOON.plusSeconds(11).plus(Duration.ofHours(4)));
    }
}
