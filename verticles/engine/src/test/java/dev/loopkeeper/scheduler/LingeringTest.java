package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LingeringTest {
    private static final long LONG = Lingering.LONGEST_NANOS;

    private final Lingering lingering = new Lingering();

    @Test
    void anAgentThatPrintsNothingMoreAfterItsSuccessLingers() {
        assertThat(lingering.isTooLong(false, 10, -LONG)).isFalse();
        assertThat(lingering.isTooLong(true, 20, 0)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG - 1)).isFalse();
        assertThat(lingering.isTooLong(true, 20, LONG)).isTrue();
    }

    @Test
    void whoPrintsOrBeginsAnotherTurnDoesNot() {
        assertThat(lingering.isTooLong(true, 20, 0)).isFalse();
        assertThat(lingering.isTooLong(true, 30, LONG)).isFalse();
        assertThat(lingering.isTooLong(false, 30, LONG + 1)).isFalse();
        assertThat(lingering.isTooLong(true, 30, 3 * LONG)).isFalse();
        assertThat(lingering.isTooLong(false, 30, 9 * LONG)).isFalse();
    }
}
