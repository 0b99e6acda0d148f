package dev.loopkeeper.process;

import java.time.Duration;
import java.time.Instant;

/** What is recorded of the running time, see {@link RunningTime.Counted}. */
record RanNote(long millis, Instant changed, long movedAtMillis, long lookedAtMillis) {
    static RanNote of(RunningTime.Counted counted) {
        return new RanNote(
                counted.ran().toMillis(),
                counted.changed(),
                counted.movedAt().toMillis(),
                counted.lookedAt().toMillis());
    }

    RunningTime.Counted counted() {
        return new RunningTime.Counted(
                Duration.ofMillis(Math.max(0, millis)),
                changed,
                Duration.ofMillis(Math.max(0, movedAtMillis)),
                Duration.ofMillis(Math.max(0, lookedAtMillis)));
    }
}
