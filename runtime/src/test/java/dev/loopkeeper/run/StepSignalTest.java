package dev.loopkeeper.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import org.junit.jupiter.api.Test;

class StepSignalTest {
    private static String told(String deliverable) {
        ObjectNode signal = Json.MAPPER.createObjectNode();
        signal.put("status", "completed").put("deliverable", deliverable);
        return new StepSignal("build.1.dev.1", signal).text();
    }

    @Test
    void aSignalIsToldAsItIs() {
        assertThat(told("a report"))
                .isEqualTo("step build.1.dev.1 signals {\"status\":\"completed\",\"deliverable\":\"a report\"}");
    }

    @Test
    void aLongDeliverableIsNotToldWhole() {
        assertThat(told("z".repeat(900_000)))
                .startsWith("step build.1.dev.1 signals {\"status\":\"completed\",")
                .endsWith("z…")
                .hasSizeLessThan(1_100);
    }
}
