package dev.loopkeeper.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.TestRuns;
import org.junit.jupiter.api.Test;

/** A snapshot was as large as all that the agents of its runs had said. */
class SnapshotSizeTest {
    @Test
    void aRunOfUsualSizeStaysAsItIs() {
        ObjectNode run = TestRuns.paused("run-1", "user_input_needed");

        assertThat(BriefRun.of(run)).isSameAs(run);
    }

    @Test
    void ofALargeOnePayloadsGoAndTextsAndListsAreCut() {
        ObjectNode run = TestRuns.paused("run-1", "user_input_needed");
        ObjectNode pause = (ObjectNode) run.get("pause");
        for (int question = 0; question < 1000; question++) {
            pause.withArray("questions").add("why? ".repeat(200));
        }
        run.putObject("termination").put("summary", "x".repeat(900_000)).put("deliverable", "y".repeat(900_000));

        JsonNode brief = BriefRun.of(run);

        assertThat(brief.toString().length()).isLessThan(200_000);
        assertThat(brief.path("runId").asText()).isEqualTo("run-1");
        assertThat(brief.at("/termination/summary").asText()).hasSize(4096).endsWith("…");
        assertThat(brief.at("/termination/deliverable").isNull()).isTrue();
        assertThat(brief.at("/pause/questions")).hasSize(100);
        assertThat(run.at("/pause/questions")).hasSize(1000);
    }
}
