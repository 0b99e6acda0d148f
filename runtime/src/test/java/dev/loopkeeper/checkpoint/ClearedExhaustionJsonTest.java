package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.TerminalExhaustionCleared;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.TerminalExhaustion;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClearedExhaustionJsonTest {
    private static final Instant AT = Instant.parse("2026-11-20T15:00:00Z");

    @Test
    void aClearedExhaustionIsOneObjectAndReadBackTheSame() {
        var exhaustion = new TerminalExhaustion(
                "halted", Optional.of("f1"), Optional.of("frames"), Optional.empty(), Optional.empty(), "told to", AT);
        var cleared = new TerminalExhaustionCleared(new ClearedExhaustion(exhaustion, "frames.f1.dev.2", AT));
        JsonNode data = EventJson.write(cleared);
        assertThat(data.path("reasonCode").asText()).isEqualTo("halted");
        assertThat(data.path("workUnit").asText()).isEqualTo("f1");
        assertThat(data.path("clearedBy").asText()).isEqualTo("frames.f1.dev.2");
        assertThat(EventJson.read("terminal-exhaustion.cleared", data)).isEqualTo(cleared);
    }
}
