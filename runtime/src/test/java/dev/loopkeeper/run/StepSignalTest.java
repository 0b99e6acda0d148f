package dev.loopkeeper.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StepSignalTest {
    private static String textOf(String deliverable) {
        ObjectNode signal = Json.MAPPER.createObjectNode();
        signal.put("status", "completed").put("deliverable", deliverable);
        return new StepSignal("build.1.dev.1", signal).text();
    }

    @Test
    void aSignalIsReportedAsItIs() {
        assertThat(textOf("a report"))
                .isEqualTo("step build.1.dev.1 signals {\"status\":\"completed\",\"deliverable\":\"a report\"}");
    }

    @Test
    void ofALongSignalTheLongFieldsAreLeftOut() {
        ObjectNode signal = Json.MAPPER.createObjectNode();
        signal.put("note", "\u00fc".repeat(20_000))
                .put("pad", "z".repeat(41_000))
                .put("status", "partial")
                .putArray("gaps")
                .add("\u00fc".repeat(8_000));
        for (int field = 0; field < 20_000; field++) {
            signal.put("many" + field, field);
        }

        StepSignal event = StepSignal.of("build.1.dev.1", signal);

        assertThat(event.signal().toString().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(60 << 10, 64 << 10);
        assertThat(event.signal().properties())
                .extracting(field -> field.getKey())
                .startsWith("status", "gaps", "many0");
        assertThat(StepSignal.of("build.1.dev.1", event.signal())).isEqualTo(event);
    }

    @Test
    void cutsALongDeliverable() {
        assertThat(textOf("z".repeat(900_000)))
                .startsWith("step build.1.dev.1 signals {\"status\":\"completed\",")
                .endsWith("z…")
                .hasSizeLessThan(1_100);
    }
}
