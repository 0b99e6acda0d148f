package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.BuiltInNames;
import dev.loopkeeper.rules.EveryEvent;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.step.SweptProcess;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventJsonTest {
    /** As the contract lists them. */
    private static final Set<String> TYPES = Set.of(
            "run.created",
            "run.queued",
            "run.started",
            "run.resumed",
            "run.pausing",
            "run.paused",
            "run.waiting",
            "run.stopping",
            "run.ended",
            "phase.started",
            "phase.finished",
            "iteration.started",
            "iteration.finished",
            "item.started",
            "item.finished",
            "step.started",
            "step.usage",
            "step.signal",
            "step.retrying",
            "step.finished",
            "step.swept",
            "ask.opened",
            "ask.closed",
            "workspace.committed",
            "workspace.merged",
            "budget.warning",
            "stop",
            "terminal-exhaustion",
            "terminal-exhaustion.cleared",
            "notice");

    @Test
    void theTypesAreThoseOfTheContractAndOfTheManifest() {
        assertThat(EventTypes.all()).containsExactlyInAnyOrderElementsOf(TYPES);
        assertThat(BuiltInNames.events()).isEqualTo(TYPES);
    }

    @Test
    void everyTypeIsReadBackAsItWasWritten() throws JsonProcessingException {
        Set<String> seen = new HashSet<>();
        for (RunEvent event : EveryEvent.all()) {
            String type = EventTypes.of(event);
            String text = EventJson.write(event).toString();

            assertThat(EventJson.read(type, Json.MAPPER.readTree(text))).isEqualTo(event);
            seen.add(type);
        }
        assertThat(seen).isEqualTo(TYPES);
    }

    @Test
    void recordedEventsAndManifestsSayTheirFormat() {
        JsonNode created = EventJson.write(EveryEvent.all().stream()
                .filter(RunCreated.class::isInstance)
                .findFirst()
                .orElseThrow());

        assertThat(created.path("formatVersion").asInt()).isEqualTo(1);
        assertThat(created.at("/resolved/formatVersion").asInt()).isEqualTo(1);
    }

    @Test
    void aSweepNamesWhatItEndedAndOneThatWasRecordedWithoutIsRead() throws JsonProcessingException {
        StepSwept swept =
                StepSwept.of("build.1.dev.1", List.of(new SweptProcess(4711, "sleep 300", "nonce")), List.of());
        JsonNode former = Json.MAPPER.readTree("{\"stepId\": \"build.1.dev.1\", \"count\": 1, \"survivors\": []}");

        assertThat(EventJson.write(swept).path("processes").toString())
                .isEqualTo("[{\"pid\":4711,\"command\":\"sleep 300\",\"foundBy\":\"nonce\"}]");
        assertThat(swept.text()).contains("1 orphaned process", "4711 sleep 300 (nonce)");
        assertThat(EventJson.read("step.swept", former))
                .isEqualTo(new StepSwept("build.1.dev.1", 1, List.of(), List.of()));
    }

    @Test
    void anUnknownTypeAndUnreadableDataAreRefused() {
        assertThatThrownBy(() -> EventJson.read("run.dreamt", Json.MAPPER.createObjectNode()))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("run.dreamt");
        assertThatThrownBy(() -> EventJson.read("run.paused", Json.MAPPER.createArrayNode()))
                .isInstanceOf(CheckpointException.class);
    }
}
