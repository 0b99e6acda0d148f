package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.SmallRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step that changes a protected file, and whose server is killed. */
class ProtectedDeathIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    /** The agent changes the file before the kill, and ends after it; its work is judged by the next server. */
    @ParameterizedTest
    @ValueSource(strings = {"", "isolation: {git: worktree}\n"})
    void afterAKillNineTheAdoptedStepIsRejected(String isolation) throws Exception {
        Path repository = SmallRepository.in(folder.resolve("repository")).folder();
        Path begun = folder.resolve("begun");
        Path proceed = folder.resolve("proceed");
        String runId;
        try (Program server = Program.serve(folder, folder.resolve("data"))) {
            runId = Api.of(server).submit(isolation + """
                            name: guarded
                            protect: [list.txt]
                            agents:
                              dev:
                                command: >-
                                  [ $LOOPKEEPER_ITERATION = 2 ] || { echo x > list.txt; echo x > %s;
                                  while [ ! -e %s ]; do sleep 0.1; done; git commit -qam mine; }
                            phases: [{name: build, loop: {steps: [dev], maxIterations: 2}}]
                            """.formatted(begun, proceed), repository);
            Awaitility.await().atMost(SOON).until(() -> Files.exists(begun));
            server.kill();
        }
        Files.createFile(proceed);

        try (Program server = Program.serve(folder, folder.resolve("data"))) {
            Api next = Api.of(server);
            JsonNode run = next.until(runId, "completed", "paused", "stopped", "failed");
            assertThat(run.path("status").asText()).isEqualTo("completed");
            JsonNode failure =
                    next.get("/runs/" + runId + "/steps/build.2.dev.1/context").path("failure");
            assertThat(failure.path("kind").asText()).isEqualTo("rejected");
            assertThat(failure.path("files")).extracting(JsonNode::asText).containsExactly("list.txt");
        }
        SmallRepository checkout = new SmallRepository(repository);
        assertThat(
                        isolation.isEmpty()
                                ? checkout.git("show", "HEAD:list.txt")
                                : checkout.git("show", "loopkeeper/" + runId + ":list.txt"))
                .isEqualTo(isolation.isEmpty() ? "x" : "first");
    }
}
