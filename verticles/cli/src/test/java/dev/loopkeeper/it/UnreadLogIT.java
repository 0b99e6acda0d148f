package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose error stream is a pipe that no program reads. */
class UnreadLogIT {
    private static final int TERMINATED = 143;
    private static final int ITERATIONS = 80;
    /** More than a pipe holds: about 900 bytes each iteration, since every line has a long name in it. */
    private static final String WORDY = """
            name: LONG
            agents: {LONG: {command: "true"}}
            retry: {stopConditions: {circuitBreaker: 0}}
            phases: [{name: LONG, loop: {steps: [LONG], maxIterations: %d, noProgress: 0}}]
            """.formatted(ITERATIONS).replace("LONG", "wordy".repeat(12));

    private static final String LONG = "{name: long, agents: {a: {command: sleep 300}}, phases: [{name: p, task: a}]}";

    @TempDir
    private Path folder;

    @Test
    @Timeout(120)
    void continuesStopsAndEndsAsRequested() throws Exception {
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        Process server = start();
        try (BufferedReader output = server.inputReader()) {
            String line = output.readLine();
            Api api = new Api(line.substring(line.indexOf("http://")).trim());
            assertThat(api.until(api.submit(WORDY, workspace), "completed", "paused", "failed", "stopped")
                            .at("/position/iteration")
                            .asInt())
                    .isEqualTo(ITERATIONS);
            assertThat(server.getErrorStream().available())
                    .as("a full pipe: what is written in one go is not torn")
                    .isGreaterThan(40_000);

            String runId = api.submit(LONG, workspace);
            assertThat(api.post("/runs/" + runId + "/stop?wait=30s", JsonNodeFactory.instance.objectNode())
                            .body()
                            .path("status")
                            .asText())
                    .isEqualTo("stopped");
            server.destroy();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
            assertThat(server.exitValue()).isEqualTo(TERMINATED);
        } finally {
            server.destroyForcibly();
        }
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>(SharedClasses.program());
        command.addAll(
                List.of("serve", "--port", "0", "--data", folder.resolve("data").toString()));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("LOOPKEEPER_LOG_LEVEL", "trace");
        return builder.start();
    }
}
