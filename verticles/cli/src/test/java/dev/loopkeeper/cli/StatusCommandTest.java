package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.loopkeeper.cli.command.admin.Samples;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code loopkeeper status} of a whole Loopkeeper. */
class StatusCommandTest {
    @TempDir
    Path folder;

    @Test
    void printsTheHealthOfTheServer() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            keeper.script(
                    "dev.sh",
                    "echo '{\"status\":\"completed\",\"userInputNeeded\":true,\"questions\":[\"which?\"],"
                            + "\"usage\":{\"costUsd\":0.5,\"inputTokens\":7}}' >dev.json");
            String runId = keeper.start("""
                    name: asks
                    agents: {dev: {command: ./dev.sh, signal: dev.json}}
                    phases: [{name: build, task: dev}]
                    """);
            assertThat(keeper.until(runId, "paused").path("status").asText()).isEqualTo("paused");
            Terminal terminal = new Terminal(data);
            Awaitility.await().until(() -> terminal.type("status").out().contains("paused  1 user_input_needed"));
            Terminal.CommandOutput result = terminal.type("status");
            assertThat(result.exitCode()).isZero();
            assertThat(result.out())
                    .contains("server  " + keeper.url(), ", ready")
                    .contains("runs    1 paused\n")
                    .contains("steps   1 started, 0 adopted")
                    .contains("agent   dev: $0.50, 7 input and ")
                    .containsPattern("disk    [0-9.]+ [A-Z]i?i?B of [0-9.]+ .iB free, event store [0-9.]+ .iB");
            JsonNode facts = terminal.type("status", "--json").json();
            assertThat(facts.path("ready").asBoolean()).isTrue();
            assertThat(facts.path("problem").isNull()).isTrue();
            assertThat(facts.at("/runs/paused").asInt()).isOne();
            assertThat(facts.at("/paused/0/reason").asText()).isEqualTo("user_input_needed");
            assertThat(facts.at("/queue/length").asInt()).isZero();
            assertThat(facts.at("/sinceStart/agents/0/costUsd").asDouble()).isEqualTo(0.5);
        }
    }

    @Test
    void anUnreportedCostIsPrintedAsUnknown() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            keeper.script("tells.sh", "echo '{\"status\":\"completed\",\"usage\":{\"costUsd\":0.5}}' >tells.json");
            keeper.script("silent.sh", "echo '{\"status\":\"completed\"}' >silent.json");
            String runId = keeper.start("""
                    name: unreported
                    agents:
                      tells: {output: claude-code, command: ./tells.sh, signal: tells.json}
                      silent: {output: claude-code, command: ./silent.sh, signal: silent.json}
                    phases: [{name: one, task: tells}, {name: two, task: silent}]
                    """);
            assertThat(keeper.until(runId, "completed").at("/usage/costKnown").asBoolean())
                    .isFalse();
            Terminal terminal = new Terminal(data);
            Awaitility.await().until(() -> terminal.type("status").out().contains("agent   silent"));
            assertThat(terminal.type("status").out())
                    .contains("agent   silent: unknown cost, ", "agent   tells: $0.50, ");
            JsonNode agents = terminal.type("status", "--json").json().at("/sinceStart/agents");
            assertThat(agents.findValues("costUsd").toString()).contains("0.5", "null");
        }
    }

    @Test
    void withoutAServerItEndsWithSeven() {
        Terminal.CommandOutput result = new Terminal(folder.resolve("data")).type("status");
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err()).contains("no server serves");
    }

    /** The system takes connections for a process that is stopped; no server answers. */
    @Test
    void aServerThatHangsIsNamed() throws IOException {
        try (ServerSocket hung = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + hung.getLocalPort();
            Terminal.CommandOutput result = new Terminal(folder.resolve("data")).type("status", "--server", url);
            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.err()).contains(url, "answer");
        }
    }

    /** E.g. a proxy before the server that requires a sign-in. */
    @Test
    void aRedirectIsNoServerWithoutRuns() throws IOException {
        refused("a redirect", 302, "", "redirects to https://login.example.org/?next=1 (HTTP 302)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>Sign in</html>", "", "[]", "{\"ok\":true}"})
    void whatAnotherServerSaysIsNoServerWithoutRuns(String body) throws IOException {
        refused(body, 200, body, "is not Loopkeeper (HTTP 200)");
    }

    private void refused(String what, int status, String body, String why) throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", asked -> {
            asked.getResponseHeaders().add("Location", "https://login.example.org/?next=1");
            asked.sendResponseHeaders(status, body.isEmpty() ? -1 : body.length());
            asked.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            asked.close();
        });
        other.start();
        try {
            Terminal terminal = new Terminal(folder.resolve("data"));
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            for (String subcommand :
                    List.of("runs", "show x", "ps", "status", "stop x", "nodes", "wait x", "logs x", "watch x")) {
                Terminal.CommandOutput result = terminal.type((subcommand + " --server " + url).split(" "));
                assertThat(result.exitCode())
                        .as(what + " " + subcommand + result)
                        .isEqualTo(7);
                assertThat(result.err()).as(subcommand).contains(url, why);
            }
        } finally {
            other.stop(0);
        }
    }

    /** It is unknown what the cluster has while its database is unavailable: "none open" was wrong. */
    @Test
    void aNodeWithoutItsDatabaseDoesNotKnowTheRuns() throws IOException {
        HttpServer node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/api/v1/session", asked -> answer(asked, 200, "{\"scopes\":[],\"version\":\"1\"}"));
        node.createContext("/api/v1/metrics", asked -> answer(asked, 200, """
                loopkeeper_runs{status="running"} 0
                loopkeeper_store_bytes 0
                loopkeeper_lost_leases_total 1
                """));
        node.createContext(
                "/", asked -> answer(asked, 503, "{\"code\":\"store-unavailable\",\"detail\":\"it is waited for\"}"));
        node.start();
        try {
            String url = "http://127.0.0.1:" + node.getAddress().getPort();
            Terminal terminal = new Terminal(folder.resolve("data"));
            Terminal.CommandOutput result = terminal.type("status", "--server", url);
            assertThat(result.exitCode()).as(result.err()).isEqualTo(7);
            assertThat(result.out())
                    .contains("accepts no work: it is waited for", "runs    -\n")
                    .doesNotContain("none open", "event store");
            JsonNode facts = terminal.type("status", "--server", url, "--json").json();
            assertThat(facts.at("/runs/running").isNull()).isTrue();
            assertThat(facts.at("/queue/length").isNull()).isTrue();
        } finally {
            node.stop(0);
        }
    }

    private static void answer(HttpExchange asked, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        asked.sendResponseHeaders(status, bytes.length);
        asked.getResponseBody().write(bytes);
        asked.close();
    }

    @Test
    void whatIsNoNumberIsUnknown() {
        Samples samples = Samples.parse("""
                # HELP a_total what it is
                a_total{agent="x\\"},{y\\\\",kind="in put"} 1.5E1
                a_total 2
                b NaN
                """);
        assertThat(samples.sum("a_total")).hasValue(17);
        assertThat(samples.of("a_total").get(0).label("agent")).isEqualTo("x\"},{y\\");
        assertThat(samples.of("a_total").get(0).label("kind")).isEqualTo("in put");
        assertThat(samples.sum("b")).isEmpty();
    }
}
