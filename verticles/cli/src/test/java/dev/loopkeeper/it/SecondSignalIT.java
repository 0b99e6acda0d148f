package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person who asks twice does not want to wait: it used to be ignored for the whole grace. */
class SecondSignalIT {
    private static final String STUBBORN = """
            name: stubborn
            agents:
              one:
                command: "trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done"
                stop: {grace: 10m}
                onRuntimeDeath: kill
            phases: [{name: only, task: one}]
            """;
    /** Far below the grace. */
    private static final long SOON_MILLIS = 180_000;

    @TempDir
    private Path folder;

    private Path data;

    @Test
    void skipsTheGraceOfARunInTheForeground() throws Exception {
        prepare();
        try (Program program =
                Program.start(folder, Map.of(), "run", "manifest.yaml", "--run-id", "r1", "--data", data.toString())) {
            awaitAgent();
            // The agent may live before the command has received which run it is about.
            Awaitility.await().until(() -> program.output().contains("one started"));
            program.terminate();
            Awaitility.await()
                    .until(() -> program.output().contains("stopping r1; press Ctrl-C again to kill at once"));
            Awaitility.await().until(() -> program.output().contains("stopping: loopkeeper received SIGTERM\n"));
            assertThat(program.isAlive()).isTrue();

            program.terminate();

            assertThat(program.endsWithin(SOON_MILLIS)).isTrue();
            assertThat(program.join().exitCode()).isEqualTo(143);
        }
        assertThat(checkpoint("r1").at("/termination/subtype").asText()).isEqualTo("error_interrupted");
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data);
    }

    @Test
    void skipsTheGraceOfAServerThatDrains() throws Exception {
        prepare();
        try (Program server = Program.serve(folder, data)) {
            String runId = Api.of(server).submit(STUBBORN, folder);
            awaitAgent();
            server.terminate();
            Awaitility.await().until(() -> server.output().contains("stopping; a second signal kills at once"));
            assertThat(server.isAlive()).isTrue();

            server.terminate();

            assertThat(server.endsWithin(SOON_MILLIS)).isTrue();
            assertThat(server.join().exitCode()).isEqualTo(143);
            assertThat(checkpoint(runId).at("/termination/subtype").asText()).isEqualTo("error_interrupted");
        }
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data);
    }

    private void prepare() throws IOException {
        data = folder.resolve("data");
        Files.writeString(folder.resolve("manifest.yaml"), STUBBORN);
    }

    private void awaitAgent() {
        Path pid = folder.resolve("pid");
        Awaitility.await()
                .until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
    }

    private JsonNode checkpoint(String runId) throws IOException {
        return Json.MAPPER.readTree(
                Files.readString(data.resolve("runs").resolve(runId).resolve("checkpoint.json")));
    }
}
