package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.RestingRuns;
import dev.loopkeeper.run.RunState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JSON on disk of runs at rest. A change on purpose writes them again:
 * {@code -Dloopkeeper.golden=src/test/resources/dev/loopkeeper/checkpoint}.
 */
class GoldenCheckpointsTest {
    private static final Map<String, RunState> STATES = RestingRuns.states();

    private static Stream<String> names() {
        return STATES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aCheckpointLooksAsItDid(String name) throws IOException {
        String text = Json.MAPPER
                .writerWithDefaultPrettyPrinter()
                .writeValueAsString(CheckpointJson.of(STATES.get(name), Instant.EPOCH));
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
        String newer = StateJson.write(STATES.get(name)).replace("\"formatVersion\":1", "\"formatVersion\":2");

        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> StateJson.read(newer)))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("format 2");
    }

    @ParameterizedTest
    @MethodSource("names")
    void missingFieldsOfASnapshotTakeDefaults(String name) throws IOException {
        RunState state = STATES.get(name);
        ObjectNode snapshot = (ObjectNode) Json.MAPPER.readTree(StateJson.write(state));
        ((ObjectNode) snapshot.at("/state/ledger")).remove("highestUsage");
        snapshot.at("/state/retries").forEach(retry -> ((ObjectNode) retry).remove("back"));

        RunState read = StateJson.read(snapshot.toString());

        assertThat(read.spending()).isEqualTo(state.spending());
        assertThat(read.retries()).isEqualTo(state.retries());
        assertThat(read.ledger().highestUsage()).isEmpty();
    }
}
