package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.RestingRuns;
import dev.loopkeeper.run.RunState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JSON on disk of runs at rest. A change on purpose writes them anew:
 * {@code -Dloopkeeper.golden=src/test/resources/dev/loopkeeper/checkpoint}.
 */
class GoldenCheckpointsTest {
    private static final List<String> WORDS = List.of(
            "message", "summary", "stepId", "keyConcern", "anomalyType", "gaps", "errorContext", "refusedValue");
    private static final Map<String, RunState> STATES = RestingRuns.states();

    private static Stream<String> names() {
        return STATES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aCheckpointLooksAsItDid(String name) throws IOException {
        String text =
                Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(CheckpointJson.of(STATES.get(name)));
        String golden = System.getProperty("loopkeeper.golden");
        if (golden != null) {
            Files.writeString(Path.of(golden, name + ".json"), text + "\n");
        }
        assertThat(Json.MAPPER.readTree(text)).isEqualTo(golden(name));
    }

    private static JsonNode golden(String name) throws IOException {
        String golden = System.getProperty("loopkeeper.golden");
        try (InputStream stream = golden == null
                ? GoldenCheckpointsTest.class.getResourceAsStream(name + ".json")
                : Files.newInputStream(Path.of(golden, name + ".json"))) {
            assertThat(stream).as(name).isNotNull();
            return Json.MAPPER.readTree(stream);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aSnapshotIsReadBackAsItWasWritten(String name) {
        RunState state = STATES.get(name);

        assertThat(StateJson.read(StateJson.write(state))).isEqualTo(state);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aNewerSnapshotIsRefused(String name) {
        String newer = StateJson.write(STATES.get(name)).replace("\"formatVersion\":2", "\"formatVersion\":3");

        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> StateJson.read(newer)))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("format 3");
    }

    /** Written once and never again: every later version reads it as it was meant. */
    @Test
    void snapshotsOfFormat1AreRead() throws IOException {
        String golden = System.getProperty("loopkeeper.golden");
        if (golden != null && Files.notExists(Path.of(golden, "snapshots-1.json"))) {
            Map<String, String> texts = new TreeMap<>();
            STATES.forEach((name, state) -> texts.put(name, StateJson.write(state)));
            Files.writeString(
                    Path.of(golden, "snapshots-1.json"),
                    Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(texts) + "\n");
        }
        golden("snapshots-1")
                .properties()
                .forEach(snapshot -> assertThat(
                                withoutWords(StateJson.read(snapshot.getValue().asText())))
                        .as(snapshot.getKey())
                        .isEqualTo(withoutWords(STATES.get(snapshot.getKey()))));
    }

    /** What is said to people may be worded anew; what was recorded keeps its words. */
    private static JsonNode withoutWords(RunState state) {
        JsonNode tree;
        try {
            tree = Json.MAPPER.readTree(StateJson.write(state));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        tree.findParents("reason").forEach(pause -> ((ObjectNode) pause).remove(WORDS));
        tree.findParents("stepId").forEach(note -> ((ObjectNode) note).remove("finding"));
        tree.findParents("reasonCode").forEach(ending -> ((ObjectNode) ending).remove(WORDS));
        // Told only since.
        ((ObjectNode) tree.at("/state/ledger")).remove("verdict");
        ((ObjectNode) tree.at("/state/cursor")).remove("outcomes");
        return tree;
    }

    /** Written before costs of 0, reservations and the way back from fallbacks were noted. */
    @ParameterizedTest
    @MethodSource("names")
    void anOlderSnapshotIsReadWithDefaults(String name) throws IOException {
        RunState state = STATES.get(name);
        ObjectNode snapshot = (ObjectNode) Json.MAPPER.readTree(StateJson.write(state));
        ((ObjectNode) snapshot.at("/state/ledger")).remove("dearest");
        ((ObjectNode) snapshot.at("/state/ledger/spent")).remove("costTold");
        snapshot.at("/state/activity/retries").forEach(retry -> ((ObjectNode) retry).remove("back"));

        RunState read = StateJson.read(snapshot.toString());

        assertThat(read.spending()).isEqualTo(state.spending());
        assertThat(read.retries()).isEqualTo(state.retries());
        assertThat(read.ledger().dearest()).isEmpty();
    }
}
