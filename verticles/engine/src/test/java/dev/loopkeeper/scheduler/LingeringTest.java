package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LingeringTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    private Instant changed = Instant.EPOCH;

    private Lingering lingering(Duration... idleTimeout) {
        return new Lingering(
                Optional.of(idleTimeout).filter(given -> given.length > 0).map(given -> given[0]),
                Clock.fixed(NOW, ZoneOffset.UTC),
                () -> changed);
    }

    @Test
    void anAgentThatPrintsNothingMoreAfterItsSuccessLingers() {
        Lingering lingering = lingering();
        assertThat(lingering.isTooLong(false, 10, -LONG)).isFalse();
        assertThat(lingering.isTooLong(true, 20, 0)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG - 1)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG)).isTrue();
    }

    @Test
    void anAgentThatPrintsOrBeginsAnotherTurnDoesNotLinger() {
        Lingering lingering = lingering();
        assertThat(lingering.isTooLong(true, 20, 0)).isFalse();
        assertThat(lingering.isTooLong(true, 30, LONG)).isFalse();
        assertThat(lingering.isTooLong(false, 30, LONG + 1)).isFalse();
        assertThat(lingering.isTooLong(true, 30, 3 * LONG)).isFalse();
        assertThat(lingering.isTooLong(false, 30, 9 * LONG)).isFalse();
    }

    @Test
    void anAgentThatChangesItsWorkspaceDoesNotLinger() {
        Lingering lingering = lingering();
        changed = NOW.minusSeconds(10);
        assertThat(lingering.isTooLong(true, 20, 0)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG + TimeUnit.SECONDS.toNanos(19)))
                .isFalse();
        changed = NOW.minusSeconds(30);
        assertThat(lingering.isTooLong(true, 20, LONG + TimeUnit.SECONDS.toNanos(20)))
                .isTrue();
    }

    @Test
    void anAgentNeverLingersBeforeItsOwnIdleTimeout() {
        Lingering patient = lingering(Duration.ofSeconds(60));
        assertThat(patient.isTooLong(true, 20, 0)).isFalse();
        assertThat(patient.isTooLong(true, 20, 2 * LONG - 1)).isFalse();
        assertThat(patient.isTooLong(true, 20, 2 * LONG)).isTrue();
        assertThat(lingering(Duration.ofSeconds(2)).limit()).hasSeconds(30);
    }

    @Test
    void aWorkspaceOfTheFutureIsNoReasonToEndAnAgent() {
        Lingering lingering = lingering();
        changed = NOW.plusSeconds(3_600);
        assertThat(lingering.isTooLong(true, 20, 0)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG)).isFalse();
        assertThat(lingering.isTooLong(true, 20, 2 * LONG - 1)).isFalse();
    }
}
