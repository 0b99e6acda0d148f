package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The server as its users meet it: another process, HTTP, WebSocket, signals. */
@Execution(ExecutionMode.CONCURRENT)
class ServeIT {
    private static final String LOOP = """
            name: served
            agents:
              dev: {command: ./dev.sh, signal: .loopkeeper/dev.json}
              judge: {command: ./judge.sh, signal: .loopkeeper/judge.json}
            phases:
              - name: build
                loop: {steps: [dev, judge]}
            """;

    @TempDir
    private Path folder;

    private Path workspace;
    private Program server;

    @BeforeEach
    void startServer() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        script(
                "judge.sh",
                "n=$(wc -l < work.txt); d=PROGRESS; [ $n -ge 3 ] && d=SUCCESS\n"
                        + "echo \"{\\\"determination\\\": \\\"$d\\\"}\" > \"$LOOPKEEPER_SIGNAL_FILE\"");
        script(
                "dev.sh",
                "echo line >> work.txt\necho '{\"determination\": \"PROGRESS\"}' > \"$LOOPKEEPER_SIGNAL_FILE\"");
        server = serve();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private Program serve() throws IOException {
        return Program.start(
                folder,
                Map.of(),
                "serve",
                "--port",
                "0",
                "--log-format",
                "json",
                "--data",
                folder.resolve("data").toString());
    }

    private void script(String name, String body) throws IOException {
        Path file = workspace.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void theFeedHasNoGap() throws Exception {
        Api api = Api.of(server);
        List<JsonNode> feed = api.feed();
        assertThat(feed.get(0).path("type").asText()).isEqualTo("snapshot");
        String runId = api.submit(LOOP, workspace);
        assertThat(api.until(runId, "completed", "failed", "stopped", "paused")
                        .path("status")
                        .asText())
                .isEqualTo("completed");
        List<JsonNode> events = api.events(runId);
        assertGapFree(events);
        assertThat(events.stream().filter(event -> event.path("type").asText().equals("run.ended")))
                .hasSize(1);
        Awaitility.await().until(() -> feed.size() == events.size() + 1);
        assertGapFree(feed.subList(1, feed.size()));
        assertThat(feed.get(feed.size() - 1).path("type").asText()).isEqualTo("run.ended");
    }

    @Test
    void anAgentOutlivesAKilledServerAndIsAdopted() throws Exception {
        script(
                "dev.sh",
                "[ -e go ] || { echo $$ >> pids; while [ ! -e go ]; do sleep 0.1; done; }\n"
                        + "echo line >> work.txt\necho '{\"determination\": \"PROGRESS\"}' > \"$LOOPKEEPER_SIGNAL_FILE\"");
        Api first = Api.of(server);
        String runId = first.submit(LOOP, workspace);
        Path pids = workspace.resolve("pids");
        Awaitility.await()
                .until(() -> Files.exists(pids) && !Files.readString(pids).isBlank());
        long agent = Long.parseLong(Files.readString(pids).trim());
        List<JsonNode> before = first.events(runId);
        server.kill();
        server = serve();
        Api second = Api.of(server);
        JsonNode step = second.get("/runs/" + runId + "/steps").path("steps").path(0);
        assertThat(step.path("pid").asLong()).isEqualTo(agent);
        assertThat(step.path("status").asText()).isEqualTo("running");
        Files.createFile(workspace.resolve("go"));
        assertThat(second.until(runId, "completed", "failed", "stopped", "paused")
                        .path("status")
                        .asText())
                .isEqualTo("completed");
        List<JsonNode> after = second.events(runId);
        assertGapFree(after);
        assertThat(after.subList(0, before.size())).isEqualTo(before);
        assertThat(Files.readAllLines(pids)).hasSize(1);
        assertThat(Files.readAllLines(workspace.resolve("work.txt"))).hasSize(3);
    }

    @Test
    void aSecondServerIsRefusedAndChangesNothing() throws Exception {
        Api api = Api.of(server);
        Program.Result second = Program.run(
                folder, "serve", "--port", "0", "--data", folder.resolve("data").toString());
        assertThat(second.exitCode()).isEqualTo(2);
        assertThat(second.stderr()).contains(String.valueOf(server.pid()));
        String runId = api.submit(LOOP, workspace);
        assertThat(api.until(runId, "completed", "paused").path("status").asText())
                .isEqualTo("completed");
    }

    @Test
    void aDrainedServerLeavesItsAgentsToTheNext() throws Exception {
        script(
                "dev.sh",
                "echo $$ > pid\nwhile [ ! -e go ]; do sleep 0.1; done\necho line >> work.txt\n"
                        + "echo '{\"determination\": \"SUCCESS\"}' > \"$LOOPKEEPER_SIGNAL_FILE\"");
        script("judge.sh", "echo '{\"determination\": \"SUCCESS\"}' > \"$LOOPKEEPER_SIGNAL_FILE\"");
        String runId = Api.of(server).submit(LOOP, workspace);
        Awaitility.await().until(() -> Files.exists(workspace.resolve("pid")));
        server.terminate();
        Program.Result drained = server.join();
        assertThat(drained.exitCode()).isEqualTo(143);
        assertEachLineIsAnObject(drained.stderr(), runId);
        assertThat(folder.resolve("data/server.json")).doesNotExist();
        Files.createFile(workspace.resolve("go"));
        server = serve();
        Api next = Api.of(server);
        assertThat(next.until(runId, "completed", "paused", "failed")
                        .path("status")
                        .asText())
                .isEqualTo("completed");
        assertThat(next.get("/runs/" + runId + "/steps").path("steps")).hasSize(2);
    }

    private static void assertEachLineIsAnObject(String log, String runId) throws IOException {
        Set<String> runs = new HashSet<>();
        for (String line : log.lines().toList()) {
            JsonNode event = Json.MAPPER.readTree(line);
            assertThat(Instant.parse(event.path("timestamp").asText())).as(line).isNotNull();
            assertThat(event.path("message").asText()).as(line).isNotEmpty();
            runs.add(event.path("runId").asText());
        }
        assertThat(runs).contains(runId);
    }

    @Test
    void aStopThatWaitsAnswersWhenEverythingIsGone() throws Exception {
        script(
                "dev.sh",
                "trap '' TERM\n(trap '' TERM; while :; do sleep 0.1; done) &\necho $! > child\n"
                        + "while :; do sleep 0.1; done");
        Api api = Api.of(server);
        String runId = api.submit(LOOP, workspace);
        Path child = workspace.resolve("child");
        Awaitility.await()
                .until(() -> Files.exists(child) && !Files.readString(child).isBlank());
        Api.Answer answer = api.post("/runs/" + runId + "/stop?wait=60s", Json.MAPPER.createObjectNode());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("status").asText()).isEqualTo("stopped");
        assertThat(answer.body().at("/termination/subtype").asText()).isEqualTo("error_operator_stop");
        assertThat(Processes.lives(Long.parseLong(Files.readString(child).trim())))
                .isFalse();
        JsonNode receipt =
                api.get("/runs/" + runId + "/receipts").path("receipts").path(0);
        assertThat(receipt.path("outcome").asText()).isEqualTo("gone");
        assertThat(receipt.path("processes").size()).isGreaterThanOrEqualTo(2);
        List<JsonNode> events = api.events(runId);
        assertThat(events.get(events.size() - 1).path("type").asText()).isEqualTo("run.ended");
    }

    private static void assertGapFree(List<JsonNode> events) {
        assertThat(events.stream().map(event -> event.path("sequence").asLong()).toList())
                .isEqualTo(LongStream.rangeClosed(1, events.size()).boxed().toList());
    }
}
