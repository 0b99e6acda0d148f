package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.FakeKeeper;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that ends after it was asked for a run and before it has answered. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EndingServerTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");

    @TempDir
    Path folder;

    private DataFolder data;
    private Process owner;
    private ServerSocket server;
    private Terminal terminal;

    @BeforeEach
    void begin() throws IOException {
        data = new DataFolder(folder.resolve("data")).prepare();
        owner = new ProcessBuilder("cat").start();
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Files.writeString(data.path().resolve("owner.lock"), owner.pid() + "\n");
        data.serverFile().write(new ServerAddress(url(), owner.pid(), Instant.now()));
        terminal = new Terminal(data.path());
    }

    @AfterEach
    void end() throws IOException {
        owner.destroyForcibly().onExit().join();
        server.close();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private Terminal.Said submit(String... more) throws IOException {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: x
                budget: {turns: 9}
                agents: {dev: {command: 'true'}}
                phases: [{name: only, task: dev}]
                """);
        List<String> words = new ArrayList<>(List.of("submit", manifest.toString(), "--run-id", "r"));
        words.addAll(List.of(more));
        return terminal.type(words.toArray(String[]::new));
    }

    /** It does this with the key of the first question, and ends. */
    private CompletableFuture<Void> endingAfter(Consumer<String> last) {
        return CompletableFuture.runAsync(() -> {
            try (Socket client = server.accept()) {
                BufferedReader request =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                String key = "";
                for (String line = request.readLine(); !line.isEmpty(); line = request.readLine()) {
                    key = line.startsWith("Idempotency-Key: ") ? line.substring(17) : key;
                }
                owner.destroyForcibly().onExit().join();
                last.accept(key);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
    }

    /** "no server answers", with 7: whether the run was taken nobody said, and whoever typed it again had two. */
    @Test
    void theNextServerIsAskedWithTheSameKey() throws Exception {
        try (FakeKeeper next = new FakeKeeper(folder.resolve("next"))) {
            CompletableFuture<String> asked = new CompletableFuture<>();
            CompletableFuture<Void> ending = endingAfter(key -> {
                ProcessHandle self = ProcessHandle.current();
                write(data.path().resolve("owner.lock"), self.pid() + "\n");
                data.serverFile().write(new ServerAddress(next.url, self.pid(), Instant.now()));
                asked.complete(key);
            });

            Terminal.Said said = submit();

            ending.join();
            assertThat(said.exitCode()).as(said.err()).isZero();
            assertThat(said.out()).contains("r is running", "watch r");
            assertThat(next.last(StartRun.class).idempotencyKey()).contains(asked.join());
        }
    }

    @Test
    void aRunThatIsRecordedIsNotLostWithItsServer() throws Exception {
        CompletableFuture<Void> ending = endingAfter(this::record);

        Terminal.Said said = submit();

        ending.join();
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).contains("r is queued");
        assertThat(said.err()).contains("r is recorded; continue it with: loopkeeper serve");
    }

    @Test
    void whatWasNotTakenIsSaid() throws Exception {
        CompletableFuture<Void> ending = endingAfter(key -> {});

        Terminal.Said said = submit();

        ending.join();
        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(said.err()).contains("for the next server").endsWith("nothing was started\n");
    }

    @Test
    void ofAServerElsewhereItIsNotKnown() throws Exception {
        CompletableFuture<Void> ending = endingAfter(key -> {});

        Terminal.Said said = submit("--server", url());

        ending.join();
        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(said.err()).contains("the server may or may not have accepted the run; see: loopkeeper runs");
        server.close();
        assertThat(submit("--server", url()).err())
                .contains("no server answers")
                .endsWith("nothing was started\n");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void record(String key) {
        Vertx vertx = Vertx.vertx();
        OpenStore store = Session.await(SqliteEventStore.open(vertx, data.path()));
        RunRow row = new RunRow(
                "r",
                "x",
                "queued",
                NOW,
                Json.MAPPER
                        .createObjectNode()
                        .put("runId", "r")
                        .put("name", "x")
                        .put("status", "queued")
                        .put("execution", 1)
                        .put("sequence", 1)
                        .put("createdAt", NOW.toString()));
        StoredEvent created = new StoredEvent("r", 1, NOW, "run.created", 1, Json.MAPPER.createObjectNode());
        Session.await(
                store.append(new AppendEvents("r", 0, 1, List.of(created), row, Optional.empty(), Optional.of(key))));
        Session.await(store.close());
        Session.await(vertx.close());
    }
}
