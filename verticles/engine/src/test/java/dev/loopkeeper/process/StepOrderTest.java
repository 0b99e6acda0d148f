package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The file {@code request.json} of a step's folder, which another version may have written. */
class StepOrderTest {
    private static final StepOrder ORDER = new StepOrder(
            "fix-1",
            "build.3.dev.1",
            "dev",
            new StepOrder.Marks("n0", "boot-1", Optional.of("/sys/fs/cgroup/loopkeeper-n0")),
            new StepOrder.Program(
                    List.of("./agent.sh", "-x"),
                    "/work",
                    "/work/signal.json",
                    OutputDialect.CODEX,
                    Optional.of("DONE"),
                    Optional.empty()),
            new StepLimits(StopSpec.DEFAULTS, Optional.of(Duration.ofMinutes(20)), Optional.empty()),
            OnRuntimeDeath.KEEP);

    private static final String WRITTEN =
            """
            {"runId": "fix-1", "stepId": "build.3.dev.1", "role": "dev", "nonce": "n0", "bootId": "boot-1",
             "command": ["./agent.sh", "-x"], "stop": %s, "onRuntimeDeath": "keep", "expectOutput": "DONE",
             "workspace": "/work", "signalFile": "/work/signal.json", "timeout": "PT20M", "idleTimeout": null,
             "output": "codex", "cgroup": "/sys/fs/cgroup/loopkeeper-n0"}""".formatted(Json.MAPPER.valueToTree(StopSpec.DEFAULTS).toString());

    @Test
    void itsJsonIsFlat() throws Exception {
        JsonNode written = Json.MAPPER.readTree(WRITTEN);
        assertThat(Json.MAPPER.<JsonNode>valueToTree(ORDER)).isEqualTo(written);
        assertThat(Json.MAPPER.treeToValue(written, StepOrder.class)).isEqualTo(ORDER);
    }

    @Test
    void withoutADialectTheOutputIsText() throws Exception {
        assertThat(Json.MAPPER
                        .readValue("{\"runId\": \"fix-1\", \"command\": [\"true\"]}", StepOrder.class)
                        .program())
                .isEqualTo(new StepOrder.Program(
                        List.of("true"), null, null, OutputDialect.TEXT, Optional.empty(), Optional.empty()));
    }
}
