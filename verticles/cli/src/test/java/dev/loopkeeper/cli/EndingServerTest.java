package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that ends after it was requested a run and before it has answered. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EndingServerTest {
    private static final int SOON_MILLIS = 60_000;

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
        server.setSoTimeout(SOON_MILLIS);
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

    private Terminal.CommandOutput submit(String... more) throws IOException {
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

    private void endAfterARequest() {
        try (Socket client = server.accept()) {
            client.setSoTimeout(SOON_MILLIS);
            BufferedReader request =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            String line = request.readLine();
            while (!line.isEmpty()) {
                line = request.readLine();
            }
            owner.destroyForcibly().onExit().join();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void whetherTheRunWasRecordedIsUnknown() throws Exception {
        CompletableFuture<Void> ending = CompletableFuture.runAsync(this::endAfterARequest);

        Terminal.CommandOutput result = submit();

        ending.join();
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err()).contains("the server may or may not have accepted the run; see: loopkeeper runs");
        server.close();
        assertThat(submit("--server", url()).err())
                .contains("no server answers")
                .endsWith("nothing was started\n");
    }
}
