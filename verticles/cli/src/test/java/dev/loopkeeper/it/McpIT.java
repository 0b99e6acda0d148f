package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.loopkeeper.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a Model Context Protocol server on its standard streams. */
class McpIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String HELLO = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
            "clientInfo":{"name":"test","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;

    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}";

    @TempDir
    private Path folder;

    /** A client that speaks in raw lines. */
    private static final class Client implements AutoCloseable {
        private final Process process;
        private final Writer input;
        private final BufferedReader output;
        private int newest;

        Client(Path folder, String... options) throws IOException {
            List<String> command = new ArrayList<>(SharedClasses.program());
            command.addAll(List.of("mcp", "--data", folder.resolve("data").toString()));
            command.addAll(List.of(options));
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(folder.resolve("mcp.err").toFile())
                    .start();
            input = process.outputWriter(StandardCharsets.UTF_8);
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            send(HELLO.strip());
            assertThat(next().at("/result/serverInfo/name").asText()).isEqualTo("loopkeeper");
        }

        void send(String line) throws IOException {
            input.write(line + "\n");
            input.flush();
        }

        /** Every line on standard output is a message. */
        JsonNode next() throws IOException {
            JsonNode message = Json.MAPPER.readTree(output.readLine());
            assertThat(message.path("jsonrpc").asText()).isEqualTo("2.0");
            return message;
        }

        JsonNode request(String method, ObjectNode params) throws IOException {
            ObjectNode request = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
            request.put("id", ++newest).put("method", method).set("params", params);
            send(request.toString());
            JsonNode answer = next();
            assertThat(answer.path("id").asInt()).isEqualTo(newest);
            return answer.path("result");
        }

        List<String> tools() throws IOException {
            return names(request("tools/list", Json.MAPPER.createObjectNode()));
        }

        static List<String> names(JsonNode listed) {
            List<String> names = new ArrayList<>();
            listed.path("tools").forEach(tool -> names.add(tool.path("name").asText()));
            return names;
        }

        JsonNode call(String tool, String arguments) throws IOException {
            ObjectNode params = Json.MAPPER.createObjectNode().put("name", tool);
            params.set("arguments", Json.MAPPER.readTree(arguments));
            return request("tools/call", params);
        }

        JsonNode done(String tool, String arguments) throws IOException {
            JsonNode result = call(tool, arguments);
            assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
            assertThat(result.at("/content/0/text").asText()).isNotBlank();
            return result.path("structuredContent");
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private static String quoted(Map<String, String> arguments) {
        return Json.MAPPER.valueToTree(arguments).toString();
    }

    @Test
    void eachToolIsAFaceOfTheApi() throws Exception {
        Files.writeString(
                folder.resolve("m.yaml"),
                "name: m\nagents: {dev: {command: 'echo hello; sleep 600'}}\nphases: [{name: p, task: dev}]\n");
        try (Program server = Program.serve(folder, folder.resolve("data"))) {
            Api.of(server).get("/session");
            try (Client client = new Client(folder)) {
                assertThat(client.tools())
                        .containsExactly(
                                "runs",
                                "show",
                                "explain",
                                "logs",
                                "validate",
                                "submit",
                                "stop",
                                "pause",
                                "resume",
                                "answer",
                                "schedules");
                assertThat(client.done("validate", "{\"path\": \"m.yaml\"}").path("errors"))
                        .isEmpty();
                assertThat(client.done("validate", "{\"manifest\": \"name: x\\nagentz: {}\"}")
                                .at("/errors/2/suggestion")
                                .asText())
                        .isEqualTo("agents");
                assertThat(client.done("schedules", "{}").path("schedules")).isEmpty();
                String runId = client.done("submit", "{\"path\": \"m.yaml\"}")
                        .path("runId")
                        .asText();
                String run = quoted(Map.of("runId", runId));
                assertThat(client.done("runs", "{}").at("/runs/0/runId").asText())
                        .isEqualTo(runId);
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> !client.call("logs", run)
                                .at("/structuredContent/lines")
                                .isEmpty());
                assertThat(client.call("logs", run).at("/content/0/text").asText())
                        .startsWith("hello");
                assertThat(client.done("show", run).path("status").asText()).isEqualTo("running");
                assertThat(client.done("explain", run).path("summary").asText()).isNotEmpty();
                client.done("pause", run);
                assertThat(client.call("answer", quoted(Map.of("runId", runId, "answer", "x")))
                                .path("isError")
                                .asBoolean())
                        .isTrue();
                assertThat(client.done("stop", run).path("status").asText()).isEqualTo("stopped");
                assertThat(client.done("resume", quoted(Map.of("runId", runId)).replace("}", ",\"dryRun\":true}"))
                                .path("redone"))
                        .isNotEmpty();
                JsonNode unknown = client.call("show", "{\"runId\": \"nope\"}");
                assertThat(unknown.path("isError").asBoolean()).isTrue();
                assertThat(unknown.at("/content/0/text").asText()).contains("there is no run nope");
                assertThat(client.request(
                                        "resources/read",
                                        Json.MAPPER.createObjectNode().put("uri", "loopkeeper://runs/" + runId))
                                .at("/contents/0/text")
                                .asText())
                        .contains(runId);
            }
        }
    }

    @Test
    void answersOpenCallsAtTheEndOfInput() throws Exception {
        try (Client client = new Client(folder, "--read-only")) {
            client.send("this is no JSON");
            assertThat(client.next().at("/error/code").asInt()).isEqualTo(-32700);
            client.send("{\"jsonrpc\":\"2.0\",\"id\":5}");
            assertThat(client.next().at("/error/code").asInt()).isEqualTo(-32600);
            assertThat(client.tools()).containsExactly("runs", "show", "explain", "logs", "validate", "schedules");
            assertThat(client.call("submit", "{}").isMissingNode()).isTrue();
            JsonNode without = client.call("runs", "{}");
            assertThat(without.at("/content/0/text").asText())
                    .contains("no server serves")
                    .contains("serve");

            client.send("{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"tools/call\",\"params\":{\"name\":\"validate\","
                    + "\"arguments\":{\"path\":\"none.yaml\"}}}");
            client.input.close();
            assertThat(client.next().path("id").asInt()).isEqualTo(77);
            assertThat(client.output.readLine()).isNull();
            assertThat(client.process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(client.process.exitValue()).isZero();
        }
    }

    /**
     * A server whose answers take 2.5 seconds, beyond the time that a wait has; waits, and all answers of a halted one, are
     * given after the test.
     */
    private static HttpServer slow(boolean halted, CountDownLatch over) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            String uri = exchange.getRequestURI().toString();
            int millis = halted || uri.contains("wait") ? 60_000 : uri.endsWith("/session") ? 0 : 2_500;
            try {
                boolean ignored = over.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            byte[] body = "{\"runs\": [], \"nextCursor\": null}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** A busy machine needs seconds for a call: it was given up 1.4 seconds after the end of input. */
    @Test
    void theEndOfInputEndsWaitsButNoOtherCall() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        HttpServer server = slow(false, over);
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try (Client client = new Client(folder, "--server", url)) {
            client.send(CALL.formatted(7, "show", "{\"runId\": \"r\", \"wait\": \"40s\"}"));
            client.send(CALL.formatted(8, "runs", "{}"));
            client.input.close();

            JsonNode wait = client.next();
            assertThat(wait.path("id").asInt()).isEqualTo(7);
            assertThat(wait.at("/result/content/0/text").asText()).contains("the input ended");
            JsonNode runs = client.next();
            assertThat(runs.path("id").asInt()).isEqualTo(8);
            assertThat(runs.at("/result/isError").asBoolean())
                    .as(runs.toString())
                    .isFalse();
            assertThat(client.process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            over.countDown();
            server.stop(0);
        }
    }

    /** It took up to 44 seconds. */
    @Test
    void theEndOfInputEndsEachCallOfAHaltedServer() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        HttpServer server = slow(true, over);
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try (Client client = new Client(folder, "--server", url)) {
            client.send(CALL.formatted(7, "runs", "{}"));
            client.input.close();

            JsonNode runs = client.next();
            assertThat(runs.at("/result/isError").asBoolean()).isTrue();
            assertThat(runs.at("/result/content/0/text").asText()).contains("the input ended");
            assertThat(client.process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(client.process.exitValue()).isZero();
        } finally {
            over.countDown();
            server.stop(0);
        }
    }

    @Test
    void theManifestOfThePromptIsValid() throws Exception {
        Files.createDirectory(folder.resolve("prompts"));
        Files.writeString(folder.resolve("prompts/dev.md"), "{{context}}");
        Path program = Files.writeString(folder.resolve("claude"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Client client = new Client(folder)) {
            ObjectNode prompt = Json.MAPPER.createObjectNode().put("name", "write-manifest");
            prompt.putObject("arguments").put("task", "fix the tests");
            String text = client.request("prompts/get", prompt)
                    .at("/messages/0/content/text")
                    .asText();
            assertThat(text).contains("fix the tests");
            String manifest = text.substring(text.indexOf("name: fix-tests"), text.indexOf("The file prompts"));
            Files.writeString(folder.resolve("m.yaml"), manifest.replace("[claude,", "[./claude,"));
            assertThat(client.done("validate", "{\"path\": \"m.yaml\"}").path("errors"))
                    .as(manifest)
                    .isEmpty();
        }
    }

    @Test
    void insideAStepAnAgentAsksReadsItsContextAndSignals() throws Exception {
        String words =
                SharedClasses.program().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path program = Files.writeString(folder.resolve("lk"), "#!/bin/sh\nexec " + words + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("first.txt"), HELLO + """
                {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"context","arguments":{}}}
                {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"signal","arguments":{"determination":"MAYBE"}}}
                {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask","arguments":{"question":"Which port?"}}}
                """);
        Files.writeString(folder.resolve("then.txt"), """
                {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"signal","arguments":{"determination":"SUCCESS"}}}
                """);
        String agent =
                "(cat first.txt; until grep -q 8080 out.txt; do sleep 0.1; done; cat then.txt) | ./lk mcp >out.txt";
        Files.writeString(
                folder.resolve("m.yaml"),
                "name: asking\nagents: {dev: {command: '" + agent
                        + "', signal: s.json}}\nphases: [{name: p, task: dev}]\n");
        try (Program server = Program.serve(folder, folder.resolve("data"))) {
            Api api = Api.of(server);
            try (Client client = new Client(folder)) {
                String runId = client.done("submit", "{\"path\": \"m.yaml\"}")
                        .path("runId")
                        .asText();
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> !api.get("/runs/" + runId).path("asks").isEmpty());
                client.done("answer", quoted(Map.of("runId", runId, "answer", "8080")));
                assertThat(api.until(runId, "completed", "failed", "paused", "stopped")
                                .path("status")
                                .asText())
                        .isEqualTo("completed");
                Map<Integer, JsonNode> answers = new HashMap<>();
                for (String line : Files.readAllLines(folder.resolve("out.txt"))) {
                    JsonNode answer = Json.MAPPER.readTree(line);
                    answers.put(answer.path("id").asInt(), answer.path("result"));
                }
                assertThat(Client.names(answers.get(1))).containsExactly("signal", "ask", "context");
                assertThat(answers.get(2).at("/structuredContent/runId").asText())
                        .isEqualTo(runId);
                assertThat(answers.get(3).path("isError").asBoolean()).isTrue();
                assertThat(answers.get(3).at("/content/0/text").asText()).contains("MAYBE");
                assertThat(answers.get(4).at("/structuredContent/answer").asText())
                        .isEqualTo("8080");
                assertThat(answers.get(5).path("isError").asBoolean()).isFalse();
            }
        }
    }
}
