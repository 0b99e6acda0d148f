package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node and a PostgreSQL that shows a certificate: who is not trusted is refused, and nothing is sent to it. */
class ServeStoreTlsTest {
    private static final String HERE = "ip:127.0.0.1,dns:localhost";
    private static final String CONNECTED =
            "SELECT DISTINCT s.ssl::text FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)"
                    + " WHERE a.application_name = 'loopkeeper' AND a.datname = 'tls'";

    private static StoreServer server;
    private static TestAuthority authority;
    private static TestAuthority stranger;
    private static TestAuthority.Certificate sound;

    @TempDir
    Path folder;

    @TempDir
    static Path keys;

    private Terminal terminal;

    @BeforeAll
    static void start() throws Exception {
        authority = new TestAuthority(keys.resolve("authority"));
        stranger = new TestAuthority(keys.resolve("stranger"));
        sound = authority.sign(HERE, 1, 30);
        server = StoreServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        server.makeDatabase("tls");
        shown(sound);
        terminal = new Terminal(folder.resolve("data"));
    }

    /** A client that connects from now on is shown this certificate. */
    private static void shown(TestAuthority.Certificate certificate) throws IOException {
        server.certificate(certificate);
        server.set("ssl", "on");
        Awaitility.await().until(() -> server.ask("postgres", "SHOW ssl").equals(List.of("on")));
    }

    private ServedNode serve(String... words) {
        List<String> all = new ArrayList<>(List.of("--node", "n1", "--store", server.url("postgres", "tls")));
        all.addAll(List.of(words));
        return new ServedNode(terminal, folder.resolve("data"), all.toArray(new String[0]));
    }

    private String trusted() throws Exception {
        return authority.certificate().toString();
    }

    private void assertRefused(ServedNode node, String... why) throws Exception {
        try (node) {
            Terminal.CommandOutput result = node.refusal();
            assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(ExitCodes.REFUSED);
            assertThat(result.err())
                    .contains("127.0.0.1:" + server.port() + "/tls")
                    .contains(why);
            assertThat(result.err().lines()).as(result.err()).hasSize(1);
            assertThat(server.isTouched("tls")).isFalse();
            assertThat(folder.resolve("data/server.json")).doesNotExist();
        }
    }

    @Test
    void allConnectionsOfANodeAreEncrypted() throws Exception {
        try (ServedNode node = serve("--store-ca", trusted())) {
            assertThat(node.url()).startsWith("http://127.0.0.1:");
            assertThat(server.ask("tls", CONNECTED)).containsExactly("true");
        }
    }

    @Test
    void aDatabaseOnThisMachineNeedsNone() throws Exception {
        try (ServedNode node = serve()) {
            assertThat(node.url()).startsWith("http://127.0.0.1:");
            assertThat(server.ask("tls", CONNECTED)).containsExactly("false");
        }
    }

    @Test
    void aServerThatRequiresTlsIsRefusedWithTheOption() throws Exception {
        Path rules = server.data().resolve("pg_hba.conf");
        String before = Files.readString(rules);
        Files.writeString(rules, "hostnossl all wary 127.0.0.1/32 reject\n" + before);
        server.reload();
        ServedNode refused =
                new ServedNode(terminal, folder.resolve("data"), "--node", "n1", "--store", server.url("wary", "tls"));

        assertRefused(refused, "refuses this user without TLS", "no encryption (28000)", "--store-ca FILE");
        Files.writeString(rules, before);
        server.reload();
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        shown(authority.sign(HERE, 5, 2));

        assertRefused(serve("--store-ca", trusted()), "with TLS: NotAfter", "Nothing was changed");
    }

    @Test
    void aCertificateOfTomorrowIsRefused() throws Exception {
        shown(authority.sign(HERE, -3, 30));

        assertRefused(serve("--store-ca", trusted()), "with TLS: NotBefore", "the clock of this machine");
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        shown(authority.sign("dns:db.example", 1, 30));

        assertRefused(serve("--store-ca", trusted()), "with TLS: No subject alternative", "the host that it names");
    }

    @Test
    void aCertificateOfAStrangerIsRefused() throws Exception {
        shown(stranger.sign(HERE, 1, 30));

        assertRefused(serve("--store-ca", trusted()), "cannot be reached with TLS", "--store-ca FILE");
    }

    @Test
    void aServerWithoutTlsIsRefused() throws Exception {
        server.set("ssl", "off");
        Awaitility.await().until(() -> server.ask("postgres", "SHOW ssl").equals(List.of("off")));

        assertRefused(serve("--store-ca", trusted()), "offers no TLS", "ssl = on", "--insecure-store");
    }

    @Test
    void newConnectionsUseARenewedCertificate() throws Exception {
        Path trust = folder.resolve("trust.pem");
        Files.copy(authority.certificate(), trust);
        try (ServedNode node = serve("--store-ca", trust.toString())) {
            assertThat(node.url()).startsWith("http://127.0.0.1:");
            shown(stranger.sign(HERE, 1, 30));
            Path next = Files.copy(stranger.certificate(), folder.resolve("trust.next"));
            Files.move(next, trust, StandardCopyOption.ATOMIC_MOVE);
            List<String> before = backends();
            server.execute(
                    "postgres",
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'loopkeeper'");

            Awaitility.await()
                    .untilAsserted(() -> assertThat(backends()).isNotEmpty().doesNotContainAnyElementsOf(before));
            assertThat(server.ask("tls", CONNECTED)).containsExactly("true");
        }
    }

    private static List<String> backends() {
        return server.ask(
                "postgres",
                "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'loopkeeper' AND datname = 'tls'");
    }

    @Test
    void whatIsNoFileOfCertificatesIsRefusedBeforeAnythingIsAsked() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "hello\n");
        Path empty = Files.writeString(folder.resolve("empty"), "");
        for (Path file : List.of(text, empty)) {
            try (ServedNode node = serve("--store-ca", file.toString())) {
                Terminal.CommandOutput result = node.refusal();
                assertThat(result.exitCode()).isEqualTo(ExitCodes.REFUSED);
                assertThat(result.err()).contains("--store-ca " + file + " contains no certificate");
            }
        }
        try (ServedNode node = serve("--store-ca", "/nowhere/at/all")) {
            assertThat(node.refusal().err()).contains("--store-ca /nowhere/at/all cannot be read");
        }
        try (ServedNode node = serve("--store-ca", trusted(), "--insecure-store")) {
            assertThat(node.refusal().err()).contains("contradict each other");
        }
    }
}
