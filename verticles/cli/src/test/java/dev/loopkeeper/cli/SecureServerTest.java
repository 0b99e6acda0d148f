package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.Admission;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.access.TlsFiles;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate of its own, and the subcommands that find it by its data folder. */
class SecureServerTest {
    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Loopkeeper keeper;

    @AfterEach
    void close() throws TimeoutException {
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    private String serve(Path data, Admission admission) throws TimeoutException {
        Gateway gateway = new Gateway(GatewayOptions.loopback(0, data).admitting(admission));
        keeper = Loopkeeper.start(vertx, LoopkeeperOptions.of(data).with(gateway))
                .await(60, TimeUnit.SECONDS);
        return gateway.url().orElseThrow();
    }

    @Test
    void commandsTrustTheCertificateThatTheDataFolderNames() throws Exception {
        Path data = folder.resolve("data");
        TlsFiles files = TestCertificate.in(folder);
        String url = serve(data, Admission.LOCAL.tls(Optional.of(files)));
        assertThat(url).startsWith("https://127.0.0.1:");
        assertThat(Files.readString(data.resolve("server.json")))
                .contains(url, files.certificate().toString());
        Terminal terminal = new Terminal(data);
        Path manifest = Files.writeString(
                folder.resolve("m.yaml"),
                "name: m\nagents: {dev: {command: echo hi}}\nphases: [{name: p, task: dev}]\n");
        assertThat(terminal.type("submit", manifest.toString(), "--run-id", "r").exitCode())
                .isZero();
        assertThat(terminal.type("wait", "r").exitCode()).isZero();
        assertThat(terminal.type("logs", "r").out()).isEqualTo("hi\n");
        assertThat(terminal.type("watch", "r").out()).contains("completed");
        Terminal stranger = new Terminal(folder.resolve("elsewhere"));
        assertThat(stranger.type("runs", "--server", url).exitCode()).isEqualTo(7);
        stranger.environment.put(
                "LOOPKEEPER_SERVER_CERTIFICATE", files.certificate().toString());
        assertThat(stranger.type("runs", "--server", url).exitCode()).isZero();
        assertThat(plainHttp(url)).isFalse();
        keeper.close().await(60, TimeUnit.SECONDS);
    }

    /** It reports at once what is missing, not after a while that the folder is in use. */
    @Test
    void aRunBesideAServerWithTokensRequiresOne() throws Exception {
        Path data = folder.resolve("data");
        Path tokens = Files.writeString(folder.resolve("tokens"), "0123456789abcdef control\nfedcba9876543210 read\n");
        Object unused = serve(data, Admission.LOCAL.tokens(Optional.of(tokens)));
        Path manifest = Files.writeString(
                folder.resolve("m.yaml"),
                "name: m\nagents: {dev: {command: echo hi}}\nphases: [{name: p, task: dev}]\n");
        Terminal terminal = new Terminal(data);
        Terminal.CommandOutput refused = terminal.type("run", manifest.toString());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("send a valid token", "--token-file or LOOPKEEPER_TOKEN")
                .doesNotContain("in use", "evicted");
        assertThat(terminal.type("run", manifest.toString(), "--run-id", "r", "--token-file", tokens.toString())
                        .out())
                .contains("is completed");
        Path reader = Files.writeString(folder.resolve("reader"), "fedcba9876543210 read\n");
        assertThat(terminal.type("stop", "r", "--token-file", reader.toString()).err())
                .contains("has only the scope read", "of the scope control with --token-file");
        assertThat(terminal.type("resume", "r", "--token-file", reader.toString())
                        .err())
                .contains("has only the scope read", "of the scope control with --token-file")
                .doesNotContain("try:");
        keeper.close().await(60, TimeUnit.SECONDS);
    }

    private boolean plainHttp(String url) throws TimeoutException {
        int port = Integer.parseInt(url.replaceFirst(".*:", ""));
        return vertx.createHttpClient(new HttpClientOptions())
                .request(HttpMethod.GET, port, "127.0.0.1", "/health/live")
                .compose(request -> request.send())
                .map(true)
                .otherwise(false)
                .await(60, TimeUnit.SECONDS);
    }

    @Test
    void serveRefusesHalfOrBrokenTls() throws Exception {
        TlsFiles files = TestCertificate.in(folder);
        Terminal terminal = new Terminal(folder.resolve("data"));
        String certificate = files.certificate().toString();
        assertThat(terminal.type("serve", "--port", "0", "--tls-cert", certificate)
                        .err())
                .contains("--tls-cert and --tls-key belong together");
        assertThat(terminal.type("serve", "--port", "0", "--tls-cert", certificate, "--tls-key", folder + "/none")
                        .err())
                .contains("the TLS file " + folder + "/none cannot be read");
        assertThat(terminal.type("serve", "--port", "0", "--tls-cert", certificate, "--tls-key", certificate)
                        .err())
                .contains("check the TLS files");
        assertThat(terminal.type("serve", "--check", "--tls-cert", certificate, "--tls-key", certificate)
                        .err())
                .contains("check the TLS files");
        String another = TestCertificate.in(Files.createDirectory(folder.resolve("another")))
                .key()
                .toString();
        for (String check : List.of("--check", "--port=0")) {
            assertThat(terminal.type("serve", check, "--tls-cert", certificate, "--tls-key", another)
                            .err())
                    .contains(another + " is not the key of " + certificate);
        }
        assertThat(terminal.type("serve", "--check", "--tls-cert", "/dev/zero", "--tls-key", certificate)
                        .err())
                .contains("the TLS file /dev/zero cannot be read");
        assertThat(terminal.type("serve", "--check", "--token-file", "/dev/zero")
                        .err())
                .contains("the token file /dev/zero is larger than 1048576 bytes");
        assertThat(terminal.type("serve", "--check", "--token-file", folder.toString())
                        .err())
                .contains("the token file " + folder + " is a folder");
        assertThat(terminal.type("serve", "--port", "0", "--allow-workspace", folder + "/none")
                        .err())
                .contains("the allowed workspace " + folder + "/none does not exist; create it");
        assertThat(terminal.type("serve", "--check", "--allow-workspace", certificate)
                        .err())
                .contains("the allowed workspace " + certificate + " is not a folder");
        assertThat(terminal.type("serve", "--port", "0", "--public-url", "https://loops.example/below")
                        .err())
                .contains("--public-url must be an address without a path");
        assertThat(terminal.type("serve", "--port", "0", "--rate-limit", "-1").err())
                .contains("--rate-limit must be 0 or more");
    }
}
