package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.RecordedRuns;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunState;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whole records of runs: whatever the rules become, they are read as they were meant when they were recorded. */
class RecordedRunsTest {
    private static final int CURRENT = 1;

    /** A new one for each test, which may change it. */
    private static JsonNode records() {
        return RecordedRuns.record();
    }

    private static RunState folded(JsonNode events) {
        RunState state = null;
        for (JsonNode event : events) {
            String type = event.path("type").asText();
            Instant at = Instant.parse(event.path("at").asText());
            state = state == null
                    ? RunHistory.begin(type, event.path("data"), at)
                    : RunHistory.next(state, type, event.path("data"), at);
        }
        return state;
    }

    @Test
    void theEventsOfARunLeadToItsSnapshot() {
        records()
                .properties()
                .forEach(run -> assertThat(folded(run.getValue().path("events")))
                        .as(run.getKey())
                        .isEqualTo(
                                StateJson.read(run.getValue().path("snapshot").asText())));
    }

    @Test
    void everyTypeIsRecordedWithItsFormat() {
        Set<String> types = new HashSet<>();
        for (JsonNode run : records()) {
            for (JsonNode event : run.path("events")) {
                types.add(event.path("type").asText());
                assertThat(event.at("/data/formatVersion").asInt()).isEqualTo(CURRENT);
            }
        }
        assertThat(types)
                .as("a new type needs a run of its own in EveryEvent")
                .containsExactlyInAnyOrderElementsOf(EventTypes.all());
    }

    @Test
    void anEventOfANewerFormatIsRefused() {
        ObjectNode data = Json.MAPPER.createObjectNode().put("formatVersion", CURRENT + 1);

        assertThatThrownBy(() -> EventJson.read("run.started", data))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("use the version of Loopkeeper that wrote it");
    }

    private static JsonNode created() {
        return records().at("/all-keys/events/0/data");
    }

    private static Manifest manifest(JsonNode created) {
        return RunHistory.begin("run.created", created, Instant.EPOCH).plan().manifest();
    }

    private static boolean isValidToday(JsonNode document) {
        return ManifestReader.read(document) instanceof ManifestReading.Valid;
    }

    /** What a stricter reader, a retired key and a changed default of a later version look like to it. */
    private static void outliveItsRules(JsonNode document) {
        ((ObjectNode) document).put("retiredKey", true);
        ((ObjectNode) document.at("/agents/dev")).put("retiredKey", "x");
        ((ObjectNode) document.at("/budget")).put("warnAt", 7.5);
        ((ObjectNode) document.at("/phases/1/loop")).put("maxIterations", -4);
        ((ObjectNode) document.at("/retry/backoff")).put("jitter", 3);
    }

    @Test
    void stricterRulesAndNewDefaultsChangeNoRecordedManifest() {
        JsonNode created = created();
        assertThat(isValidToday(created.path("manifest"))).isTrue();
        outliveItsRules(created.path("manifest"));
        ObjectNode resolved = (ObjectNode) created.path("resolved");
        resolved.put("retiredKey", true);
        ((ObjectNode) resolved.path("budget")).put("warnAt", 7.5);
        ((ObjectNode) resolved.at("/phases/1")).put("maxIterations", -4).put("retiredKey", 1);
        ((ObjectNode) resolved.at("/phases/3")).put("maxIterations", 33); // of a time when that was the default
        assertThat(isValidToday(created.path("manifest"))).isFalse();

        Manifest read = manifest(created);

        assertThat(read.budget().warnAt()).isEqualTo(7.5);
        assertThat(((LoopPhase) read.phase(1)).maxIterations()).isEqualTo(-4);
        assertThat(((LoopPhase) read.phase(3)).maxIterations()).isEqualTo(33);
    }

    private static ObjectNode event(JsonNode events, String type) {
        ObjectNode last = null;
        for (JsonNode event : events) {
            last = event.path("type").asText().equals(type) ? (ObjectNode) event.path("data") : last;
        }
        return last;
    }

    @Test
    void whatAResumeChangedIsReadAndNotWorkedOutAgain() {
        JsonNode events = records().at("/limits-raised/events");
        ObjectNode effects = (ObjectNode) event(events, "run.resumed").path("effects");
        ((ObjectNode) effects.path("statistics")).put("itemsTotal", 77);
        ((ObjectNode) effects.at("/limits/budget")).put("costUsd", 123);
        effects.put("feedback", "as it was recorded");

        RunState state = folded(events);

        assertThat(state.ledger().statistics().itemsTotal()).isEqualTo(77);
        assertThat(state.limits().budget().costUsd()).hasValue(123);
        assertThat(state.ledger().feedback()).isEqualTo("as it was recorded");
    }

    @Test
    void whatAStepCameToIsReadAndNotJudgedAgain() {
        JsonNode finished = event(records().at("/accepted-iteration/events"), "step.finished");
        ((ObjectNode) finished.path("note")).put("outcome", "rejected");

        assertThat(Json.MAPPER
                        .<JsonNode>valueToTree(EventJson.read("step.finished", finished))
                        .at("/note/outcome")
                        .asText())
                .isEqualTo("rejected");
    }

    @Test
    void distinguishesRunsWithoutNotifications() {
        Set<Boolean> said = new HashSet<>();
        for (JsonNode run : records()) {
            JsonNode created = run.path("events").path(0).path("data");
            RunState state = RunHistory.begin("run.created", created, Instant.EPOCH);
            boolean none = RunHistory.hasNoNotifications(created);
            said.add(none);
            assertThat(none && !state.plan().manifest().notifications().isEmpty())
                    .isFalse();
        }
        assertThat(said).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void anEventOfAnOlderFormatIsBroughtUpOnTheWayIn() {
        JsonNode started = records().at("/all-keys/events/1/data");
        FormatSteps inventedFormat2 = new FormatSteps("an event", List.of(event -> event.put("addedIn2", true)));

        assertThat(EventJson.read("run.started", started, inventedFormat2))
                .isEqualTo(EventJson.read("run.started", started));
        assertThat(started.has("addedIn2")).isFalse();
    }
}
