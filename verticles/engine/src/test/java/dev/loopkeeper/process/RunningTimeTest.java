package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Limits of a step count time in which the machine and the runtime ran. */
class RunningTimeTest {
    private static final Instant BEGIN = Instant.parse("2026-11-20T22:00:00Z");

    private Instant wall = BEGIN;
    private long nanos;

    /** Time in which everything runs. */
    private void runs(RunningTime time, Duration length) {
        for (Duration left = length; !left.isZero(); left = left.minusSeconds(1)) {
            wall = wall.plusSeconds(1);
            nanos += Duration.ofSeconds(1).toNanos();
            assertThat(time.ran()).isPositive();
        }
    }

    /** The monotonic clock stands still while the machine is suspended. */
    private void isSuspended(Duration length) {
        wall = wall.plus(length);
    }

    /** The runtime is halted, and the machine runs on. */
    private void isHalted(Duration length) {
        wall = wall.plus(length);
        nanos += length.toNanos();
    }

    private RunningTime begun(Duration before) {
        return adopted(new RunningTime.Counted(before, Instant.EPOCH, before, before));
    }

    private RunningTime adopted(RunningTime.Counted before) {
        return new RunningTime(() -> nanos, before);
    }

    private void noRuntimeFor(Duration length) {
        isHalted(length);
    }

    @Test
    void aStepRunsWhileTheRuntimeDoes() {
        RunningTime time = begun(Duration.ZERO);

        runs(time, Duration.ofMinutes(2));

        assertThat(time.ran()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void neitherASuspendNorAHaltUsesUpTheLimit() {
        RunningTime time = begun(Duration.ZERO);
        runs(time, Duration.ofSeconds(10));
        isSuspended(Duration.ofHours(8));
        runs(time, Duration.ofSeconds(10));
        isHalted(Duration.ofHours(8));

        assertThat(time.ran()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
    }

    @Test
    void anAdoptedStepContinuesItsCountOfTime() {
        RunningTime time = begun(Duration.ofMinutes(40));
        runs(time, Duration.ofMinutes(2));

        assertThat(time.ran()).isEqualTo(Duration.ofMinutes(42));
    }

    @Test
    void anAgentThatSaysNothingIsIdle() {
        RunningTime time = begun(Duration.ZERO);
        Instant said = wall.plusSeconds(3);
        runs(time, Duration.ofSeconds(10));
        assertThat(time.idle(time.look(wall), said)).isEqualTo(Duration.ofSeconds(7));

        runs(time, Duration.ofSeconds(10));

        assertThat(time.idle(time.look(wall), said)).isEqualTo(Duration.ofSeconds(17));
    }

    @Test
    void anAgentThatHadNoTimeToSpeakIsNotIdle() {
        RunningTime time = begun(Duration.ZERO);
        runs(time, Duration.ofSeconds(10));
        Instant said = wall;
        assertThat(time.idle(time.look(wall), said)).isZero();
        runs(time, Duration.ofSeconds(10));
        isSuspended(Duration.ofHours(8));
        assertThat(time.idle(time.look(wall), said)).isEqualTo(Duration.ofSeconds(10));

        isHalted(Duration.ofHours(8));

        assertThat(time.idle(time.look(wall), said)).isLessThan(Duration.ofSeconds(13));
    }

    @Test
    void aChangeBeforeASuspendHasTheAgeOfTheRunningTime() {
        RunningTime time = begun(Duration.ZERO);
        runs(time, Duration.ofSeconds(10));
        Instant said = wall;
        isSuspended(Duration.ofHours(8));

        assertThat(time.idle(time.look(wall), said)).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void anIdleAgentStaysIdleFromRuntimeToRuntime() {
        Instant said = wall;
        RunningTime.Counted counted = RunningTime.Counted.NOTHING;
        for (int restarts = 0; restarts < 5; restarts++) {
            Instant notedAt = wall;
            noRuntimeFor(Duration.ofHours(1));
            RunningTime next = adopted(counted);
            assertThat(next.idle(new RunningTime.Look(counted.ran(), notedAt), said))
                    .isEqualTo(Duration.ofSeconds(4 * restarts));
            runs(next, Duration.ofSeconds(4));
            counted = next.counted();
        }
    }

    @Test
    void anAgentThatSpokeAfterTheNoteOfTheRuntimeBeforeIsNotIdle() {
        RunningTime first = adopted(RunningTime.Counted.NOTHING);
        runs(first, Duration.ofMinutes(5));
        RunningTime.Counted counted = first.counted();
        Instant notedAt = wall;
        noRuntimeFor(Duration.ofHours(1));
        RunningTime next = adopted(counted);

        assertThat(next.idle(new RunningTime.Look(counted.ran(), notedAt), notedAt.plusSeconds(2)))
                .isZero();
    }

    @Test
    void aClockThatIsSetBackKeepsNoAgentBusyForEver() {
        RunningTime time = begun(Duration.ZERO);
        Instant said = wall.plus(Duration.ofHours(5));
        runs(time, Duration.ofSeconds(10));
        assertThat(time.idle(time.look(wall), said)).isZero();

        runs(time, Duration.ofSeconds(10));

        assertThat(time.idle(time.look(wall), said)).isEqualTo(Duration.ofSeconds(10));
    }
}
