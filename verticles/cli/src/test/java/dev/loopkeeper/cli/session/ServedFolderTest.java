package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prune, export and import beside a server. */
class ServedFolderTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Path data;
    private Terminal terminal;
    private Loopkeeper server;

    @BeforeEach
    void serve() throws IOException {
        data = folder.resolve("data");
        terminal = new Terminal(data);
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        server = Session.await(Loopkeeper.start(vertx, options), SOON);
        submit("done", "echo hi");
        assertThat(terminal.type("wait", "done").exitCode()).isZero();
        submit("open", "sleep 600");
    }

    @AfterEach
    void stop() {
        assertThat(terminal.type("stop", "open", "--now").exitCode()).isZero();
        Session.await(server.close(), SOON);
        Session.await(vertx.close(), SOON);
    }

    private void submit(String runId, String command) throws IOException {
        Path manifest = folder.resolve(runId + ".yaml");
        Files.writeString(
                manifest, "name: x\nagents: {dev: {command: '" + command + "'}}\nphases: [{name: p, task: dev}]\n");
        Terminal.CommandOutput result = terminal.type("submit", manifest.toString(), "--run-id", runId);
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    @Test
    void pruneAsksFirstAndRemovesOnlyWhatHasEnded() {
        assertThat(terminal.type("prune").err()).contains("no run ended long enough ago");
        Terminal.CommandOutput dry = terminal.type("prune", "--keep", "0");
        assertThat(dry.out()).contains("done", "completed").doesNotContain("open");
        assertThat(dry.err()).contains("nothing was removed");
        assertThat(terminal.type("show", "done").exitCode()).isZero();

        Terminal.CommandOutput result = terminal.type("prune", "--older-than", "0s", "--yes", "--json");

        assertThat(result.json().at("/runs/0/runId").asText()).as(result.err()).isEqualTo("done");
        assertThat(result.json().path("runs")).hasSize(1);
        assertThat(terminal.type("show", "done").exitCode()).isEqualTo(7);
        assertThat(data.resolve("runs/done")).doesNotExist();
        assertThat(data.resolve("runs/open")).isDirectory();
        assertThat(terminal.type("prune", "--older-than", "soon").exitCode()).isEqualTo(2);
        assertThat(terminal.type("prune", "--keep", "-1").exitCode()).isEqualTo(2);
    }

    @Test
    void exportWorksBesideAServerAndImportDoesNot() {
        Path bundle = folder.resolve("done.zip");
        assertThat(terminal.type("export", "done", bundle.toString()).exitCode())
                .isZero();
        Terminal.CommandOutput open =
                terminal.type("export", "open", folder.resolve("open.zip").toString());
        assertThat(open.exitCode()).isEqualTo(2);
        assertThat(open.err()).contains("run open is running; pause or stop it first");
        assertThat(folder.resolve("open.zip")).doesNotExist();
        Terminal.CommandOutput imported = terminal.type("import", bundle.toString());
        assertThat(imported.exitCode()).isEqualTo(2);
        assertThat(imported.err()).contains("in use by process");
    }

    @Test
    void withoutAServerPruneTakesTheFolderItself() throws IOException {
        Terminal other = new Terminal(folder.resolve("other"));
        assertThat(other.type("prune", "--yes").exitCode()).isZero();
        assertThat(folder.resolve("other")).doesNotExist();
        String manifest = folder.resolve("done.yaml").toString();
        assertThat(other.type("run", manifest, "--run-id", "first").exitCode()).isZero();
        assertThat(other.type("run", manifest, "--run-id", "second").exitCode()).isZero();

        assertThat(other.type("prune", "--keep", "1").out()).contains("first").doesNotContain("second");
        assertThat(other.type("prune", "--keep", "1", "--yes").out()).contains("removed 1 run");

        assertThat(folder.resolve("other/runs/first")).doesNotExist();
        assertThat(other.type("show", "second").exitCode()).isZero();
    }

    @Test
    void theStoreAnswersAsItsServerDoes() throws IOException {
        List<String> served = answers();
        Path address = data.resolve("server.json");
        Path moved = Files.move(address, folder.resolve("aside.json"));
        List<String> read = answers();
        Files.move(moved, address);
        assertThat(read).isEqualTo(served);
    }

    private List<String> answers() {
        return Stream.of(
                        "runs --status completed --json",
                        "show done --json",
                        "show done p.dev.1 --json",
                        "explain done --json",
                        "logs done")
                .map(command -> terminal.type(command.split(" ")))
                .peek(result -> assertThat(result.exitCode()).as(result.err()).isZero())
                .map(Terminal.CommandOutput::out)
                .toList();
    }
}
