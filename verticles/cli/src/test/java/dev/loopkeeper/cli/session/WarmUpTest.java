package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    /** A loop that pauses or ends early would have shown the program nothing. */
    @Test
    void walksAWholeLoop() {
        assertThat(new WarmUp(Instant.parse("2026-11-20T15:00:00Z")).run()).isEqualTo(120);
    }
}
