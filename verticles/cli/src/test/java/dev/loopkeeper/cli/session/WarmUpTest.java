package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:00:00Z");

    /** A loop that pauses or ends early would have shown the program nothing. */
    @Test
    void walksAWholeLoop() {
        assertThat(new WarmUp(NOW, () -> false).run()).isEqualTo(120);
    }

    @Test
    void endsWhenThereIsARealRun() {
        AtomicInteger asked = new AtomicInteger();

        int steps = new WarmUp(NOW, () -> asked.incrementAndGet() > 3).run();

        assertThat(steps).isEqualTo(3);
    }
}
