package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents that ask a person in the middle of their step. */
@Execution(ExecutionMode.CONCURRENT)
class AskIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASKING = """
            name: asking
            agents: {dev: {sandbox: %s, command: './lk ask "Which port?" --choice 8080 --wait %s >answer.txt; echo $? >code.txt'}}
            phases: [{name: work, task: dev}]
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void writeTheProgram() throws IOException {
        String words =
                SharedClasses.program().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path program = folder.resolve("lk");
        Files.writeString(program, "#!/bin/sh\nexec " + words + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void anAskOutlivesItsServerAndTakesTheFirstAnswer() throws Exception {
        Program server = Program.serve(folder, folder.resolve("data"));
        try {
            String runId = Api.of(server).submit(ASKING.formatted("off", "10m"), folder);
            JsonNode ask = asks(Api.of(server), runId).path(0);
            server.kill();
            server = Program.serve(folder, folder.resolve("data"));
            Api api = Api.of(server);
            assertThat(asks(api, runId).path(0)).isEqualTo(ask);

            List<CompletableFuture<Api.Answer>> answers = new ArrayList<>();
            for (int number = 1; number <= 5; number++) {
                String path = "/runs/" + runId + "/asks/" + ask.path("askId").asText();
                JsonNode body = Json.MAPPER.createObjectNode().put("answer", "port " + number);
                answers.add(CompletableFuture.supplyAsync(() -> posted(api, path, body)));
            }
            List<Api.Answer> given =
                    answers.stream().map(CompletableFuture::join).toList();

            JsonNode run = api.until(runId, "completed", "failed", "paused");
            assertThat(given).filteredOn(answer -> answer.status() == 200).hasSize(1);
            assertThat(given)
                    .filteredOn(answer -> answer.status() == 409)
                    .hasSize(4)
                    .allSatisfy(answer -> {
                        assertThat(answer.body().path("code").asText()).isEqualTo("already-answered");
                        assertThat(answer.body().path("by").asText()).isEqualTo("local");
                    });
            assertThat(run.path("status").asText()).isEqualTo("completed");
            List<JsonNode> closed = Agents.of(api.events(runId), "ask.closed");
            assertThat(closed).hasSize(1);
            assertThat(Files.readString(folder.resolve("answer.txt")))
                    .isEqualTo(closed.get(0).at("/data/answer").asText() + "\n");
            assertThat(Files.readString(folder.resolve("code.txt"))).isEqualTo("0\n");
            String data = folder.resolve("data").toString();
            assertThat(Program.run(folder, "show", runId, "--data", data).stdout())
                    .contains("answered by local: port ");
            assertThat(Program.run(folder, "answer", runId, "late", "--data", data)
                            .stderr())
                    .contains("has no open ask; ", "answered by local: port ");
        } finally {
            server.close();
        }
    }

    private static JsonNode asks(Api api, String runId) throws Exception {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !api.get("/runs/" + runId).path("asks").isEmpty());
        return api.get("/runs/" + runId).path("asks");
    }

    private static Api.Answer posted(Api api, String path, JsonNode body) {
        try {
            return api.post(path, body);
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    /** The sandbox hides the data folder. */
    @ParameterizedTest
    @ValueSource(strings = {"off", "workspace"})
    void silenceIsNoAnswer(String sandbox) throws Exception {
        Files.writeString(folder.resolve("m.yaml"), ASKING.formatted(sandbox, "1s"));
        assumeTrue(Program.run(folder, "validate", "m.yaml").exitCode() == 0, "no such sandbox on this machine");

        Program.Result run = Program.run(
                folder, "run", "m.yaml", "--data", folder.resolve("data").toString());

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.stdout())
                .contains("Which port?")
                .contains("no answer in time")
                .containsPattern("answer it with: .*answer asking-\\S+ ask-\\d+ TEXT");
        assertThat(folder.resolve("answer.txt")).isEmptyFile();
        assertThat(Files.readString(folder.resolve("code.txt"))).isEqualTo("124\n");
    }
}
