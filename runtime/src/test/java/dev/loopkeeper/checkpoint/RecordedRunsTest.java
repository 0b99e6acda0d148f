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
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole records of runs, written once by the version that had the format and never again: whatever the rules become,
 * they are read as they were meant. A new format writes its own. A new type of event, or key of a manifest, adds a run to
 * those of {@code EveryEvent}: what is recorded is not recorded again.
 * {@code -Dloopkeeper.golden=src/test/resources/dev/loopkeeper/checkpoint}.
 */
class RecordedRunsTest {
    private static JsonNode records(int format) throws IOException {
        String name = "records-" + format + ".json";
        String golden = System.getProperty("loopkeeper.golden");
        if (golden != null && format == EventFormat.CURRENT) {
            addTo(Path.of(golden, name));
        }
        try (InputStream stream = golden == null
                ? RecordedRunsTest.class.getResourceAsStream(name)
                : Files.newInputStream(Path.of(golden, name))) {
            assertThat(stream).as(name).isNotNull();
            return Json.MAPPER.readTree(stream);
        }
    }

    /** Runs that are not in it yet; those that are stay as they were recorded. */
    private static void addTo(Path file) throws IOException {
        ObjectNode records = Files.exists(file)
                ? (ObjectNode) Json.MAPPER.readTree(Files.readString(file))
                : Json.MAPPER.createObjectNode();
        RecordedRuns.record().properties().forEach(run -> records.putIfAbsent(run.getKey(), run.getValue()));
        Files.writeString(file, text(records));
    }

    /** One line for each event. */
    private static String text(ObjectNode records) {
        List<String> runs = new ArrayList<>();
        records.properties().forEach(run -> {
            List<String> events = new ArrayList<>();
            run.getValue().path("events").forEach(event -> events.add("  " + event));
            runs.add(" \"" + run.getKey() + "\": {\"events\": [\n" + String.join(",\n", events) + "],\n  \"snapshot\": "
                    + run.getValue().get("snapshot") + "}");
        });
        return "{\n" + String.join(",\n", runs) + "\n}\n";
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

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theEventsOfEachFormatLeadWhereTheyLed(int format) throws IOException {
        records(format)
                .properties()
                .forEach(run -> assertThat(recorded(folded(run.getValue().path("events"))))
                        .as(run.getKey())
                        .isEqualTo(recorded(
                                StateJson.read(run.getValue().path("snapshot").asText()))));
    }

    /** Without what snapshots tell only since these were recorded. */
    private static JsonNode recorded(RunState state) {
        JsonNode snapshot = CheckpointMapper.MAPPER.valueToTree(state);
        ((ObjectNode) snapshot.path("ledger")).remove("verdict");
        ((ObjectNode) snapshot.path("cursor")).remove("outcomes");
        return snapshot;
    }

    @Test
    void everyTypeIsRecordedWithItsFormat() throws IOException {
        Set<String> types = new HashSet<>();
        for (JsonNode run : records(EventFormat.CURRENT)) {
            for (JsonNode event : run.path("events")) {
                types.add(event.path("type").asText());
                assertThat(event.at("/data/formatVersion").asInt()).isEqualTo(EventFormat.CURRENT);
            }
        }
        assertThat(types)
                .as("a new type needs a run of its own in RecordedRuns and in the file")
                .containsExactlyInAnyOrderElementsOf(EventTypes.all());
    }

    @Test
    void aResumeOfFormat1ThatWaitedIsReadAsQueued() throws IOException {
        List<Object> read = new ArrayList<>();
        for (JsonNode event : records(1).at("/no-place/events")) {
            read.add(EventJson.read(event.path("type").asText(), event.path("data")));
        }
        assertThat(read).filteredOn(RunQueued.class::isInstance).hasSize(1);
    }

    @Test
    void anEventOfANewerFormatIsRefused() {
        ObjectNode data = Json.MAPPER.createObjectNode().put("formatVersion", EventFormat.CURRENT + 1);

        assertThatThrownBy(() -> EventJson.read("run.started", data))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("use the version of Loopkeeper that wrote it");
    }

    private static JsonNode created(int format) throws IOException {
        return records(format).at("/all-keys/events/0/data");
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
    void aTightenedRangeARetiredKeyAndAChangedDefaultChangeNoRecordedManifest() throws IOException {
        JsonNode created = created(EventFormat.CURRENT);
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

    @Test
    void aManifestOfFormat1IsReadThoughTodaysRulesRefuseIt() throws IOException {
        JsonNode created = created(1);
        outliveItsRules(created.path("manifest"));
        assertThat(isValidToday(created.path("manifest"))).isFalse();

        Manifest read = manifest(created);

        assertThat(read.budget().warnAt()).isEqualTo(7.5);
        assertThat(read.retry().backoff().jitter()).isEqualTo(3);
        assertThat(((LoopPhase) read.phase(1)).maxIterations()).isEqualTo(-4);
    }

    @Test
    void theManifestOfFormat1IsTheOneThatIsRecordedSince() throws IOException {
        assertThat(manifest(created(1))).isEqualTo(manifest(created(EventFormat.CURRENT)));
    }

    private static ObjectNode event(JsonNode events, String type) {
        ObjectNode last = null;
        for (JsonNode event : events) {
            last = event.path("type").asText().equals(type) ? (ObjectNode) event.path("data") : last;
        }
        return last;
    }

    @Test
    void whatAResumeChangedIsReadAndNotWorkedOutAgain() throws IOException {
        JsonNode events = records(EventFormat.CURRENT).at("/limits-raised/events");
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
    void whatAStepCameToIsReadAndNotJudgedAgain() throws IOException {
        JsonNode finished = event(records(EventFormat.CURRENT).at("/accepted-iteration/events"), "step.finished");
        ((ObjectNode) finished.path("note")).put("outcome", "rejected");

        assertThat(Json.MAPPER
                        .<JsonNode>valueToTree(EventJson.read("step.finished", finished))
                        .at("/note/outcome")
                        .asText())
                .isEqualTo("rejected");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, EventFormat.CURRENT})
    void saysThatARunNotifiesNobodyOnlyWhereItsManifestDoes(int format) throws IOException {
        Set<Boolean> said = new HashSet<>();
        for (JsonNode run : records(format)) {
            JsonNode created = run.path("events").path(0).path("data");
            RunState state = RunHistory.begin("run.created", created, Instant.EPOCH);
            boolean nobody = RunHistory.notifiesNobody(created);
            said.add(nobody);
            assertThat(nobody && !state.plan().manifest().notifications().isEmpty())
                    .isFalse();
        }
        assertThat(said).contains(false);
        assertThat(said.contains(true)).isEqualTo(format == EventFormat.CURRENT);
    }
}
