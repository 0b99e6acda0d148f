package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotifyTestCommandTest {
    @TempDir
    private Path folder;

    @Test
    void sendsAnExampleToEachReceiverAndPrintsWhatCameBack() throws IOException {
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().contains("gone") ? 404 : 200, -1);
            exchange.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: notified
                agents: {dev: {command: ["true"]}}
                phases: [{name: build, task: dev}]
                notify:
                  - {webhook: "%1$s/hush", format: slack}
                  - {webhook: "%1$s/gone/hush", format: ntfy}
                  - {webhook: "env:LOOPKEEPER_TEST_UNSET", format: teams}
                  - {command: ["true"], events: [attention]}
                """.formatted(address));

        Terminal.CommandOutput result =
                new Terminal(folder.resolve("data")).type("notify", "test", manifest.toString());
        server.stop(0);

        assertThat(result.out().lines())
                .as(result.err())
                .containsExactly(
                        "sent    " + address + ": " + address + " answers with HTTP status 200",
                        "failed  " + address + ": " + address + " answers with HTTP status 404",
                        "failed  env:LOOPKEEPER_TEST_UNSET: environment variable LOOPKEEPER_TEST_UNSET is not set, so the"
                                + " notification is not sent",
                        "sent    true: the command ended with exit code 0");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(bodies).hasSize(2).allMatch(body -> body.contains("this is an example"));
        assertThat(result.out() + result.err()).doesNotContain("hush");
    }

    @Test
    void aManifestWithoutReceiversIsRefused() throws IOException {
        Path manifest = Files.writeString(
                folder.resolve("m.yaml"),
                "name: x\nagents: {dev: {command: [\"true\"]}}\nphases: [{name: build, task: dev}]\n");

        Terminal.CommandOutput result =
                new Terminal(folder.resolve("data")).type("notify", "test", manifest.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("has no notify");
    }
}
