package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.command.admin.NodeTrial;
import dev.loopkeeper.cli.session.ExitCodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor} reports of a node before it is started, of real databases and files; it changes none of them. */
class DoctorClusterTest {
    private static final String REACHED = "the database can be reached";
    private static final String KEEPS = "the database keeps committed data";
    private static final String TABLES = "the database's tables fit this Loopkeeper";
    private static final String ENOUGH_CONNECTIONS = "the database has connections for all nodes";
    private static final String NAME = "no other node has this node's name";
    private static final String BUS = "nodes reach each other over the event bus";
    private static final String OPTIONS = "the options of the node are valid";

    private static final String CONNECTIONS =
            "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'loopkeeper' AND datname = 'seen'";

    /** Outlasts any pause of a machine in use. */
    private static final List<String> LONG = List.of("--lease", "5m");

    private static StoreServer server;

    @TempDir
    static Path keys;

    @TempDir
    Path folder;

    private Terminal terminal;
    private Path data;

    @BeforeAll
    static void start() throws IOException {
        server = StoreServer.startWithPassword("loopkeeper", "right");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void prepare() {
        server.makeDatabase("seen");
        data = folder.resolve("data");
        terminal = new Terminal(data);
    }

    private static String url() {
        return server.url("postgres", "seen");
    }

    /** What it reported of the node. */
    private record DoctorReport(JsonNode checks) {
        JsonNode of(String guarantee) {
            for (JsonNode check : checks) {
                if (check.path("guarantee").asText().equals(guarantee)) {
                    return check;
                }
            }
            throw new AssertionError(guarantee + " is not among " + checks.toPrettyString());
        }

        void holds(String guarantee, String... found) {
            assertThat(of(guarantee).path("holds").asBoolean())
                    .as(of(guarantee).toString())
                    .isTrue();
            assertThat(of(guarantee).path("found").asText()).contains(found);
        }

        /** The node does not start. */
        void refuses(String guarantee, String... found) {
            assertFails(guarantee, true, found);
        }

        /** The node starts all the same. */
        void warns(String guarantee, String... found) {
            assertStarts();
            assertFails(guarantee, false, found);
        }

        void assertStarts() {
            for (JsonNode check : checks) {
                assertThat(check.path("holds").asBoolean()
                                || !check.path("needed").asBoolean())
                        .as(check.toString())
                        .isTrue();
            }
        }

        private void assertFails(String guarantee, boolean needed, String... found) {
            JsonNode check = of(guarantee);
            assertThat(check.path("holds").asBoolean()).as(check.toString()).isFalse();
            assertThat(check.path("needed").asBoolean()).as(check.toString()).isEqualTo(needed);
            assertThat(check.path("found").asText()).contains(found);
        }
    }

    private DoctorReport ask(String url, String... words) {
        return askAs("n1", url, words);
    }

    private DoctorReport askAs(String node, String url, String... words) {
        List<String> all = new ArrayList<>(List.of("--node", node, "--store", url));
        all.addAll(List.of(words));
        if (!all.contains("--lease")) {
            all.addAll(LONG);
        }
        try {
            return new DoctorReport(NodeTrial.checks(data, terminal.environment, all.toArray(new String[0])));
        } catch (Exception failed) {
            throw new AssertionError(failed);
        } finally {
            assertThat(folder.resolve("data")).doesNotExist();
        }
    }

    private Terminal.CommandOutput doctor(String... words) {
        List<String> all = new ArrayList<>(List.of("doctor"));
        all.addAll(List.of(words));
        return terminal.type(all.toArray(new String[0]));
    }

    private ServedNode serve(String name, String... words) {
        List<String> all = new ArrayList<>(List.of("--node", name, "--store", url()));
        all.addAll(LONG);
        all.addAll(List.of(words));
        return new ServedNode(terminal, folder.resolve(name), all.toArray(new String[0]));
    }

    @Test
    void aSoundEmptyDatabaseHoldsAllAndStaysEmpty() {
        DoctorReport report = ask(url());

        report.assertStarts();
        report.holds(REACHED, "127.0.0.1:" + server.port() + "/seen, PostgreSQL ");
        report.holds(KEEPS, "fsync and synchronous_commit are on");
        report.holds(TABLES, "the first node creates them");
        report.holds("the connection to the database is private", "on this machine");
        report.holds("the clocks of this machine and the database agree", " ms ");
        report.holds(ENOUGH_CONNECTIONS, "1 node needs 6 connections");
        assertThat(server.isTouched("seen")).isFalse();
    }

    @Test
    void theDoctorReportsTheClusterAndTheMachine() {
        Terminal.CommandOutput sound = doctor("--json", "--node", "n1", "--store", url());
        assertThat(sound.json().path("checks").findValuesAsText("guarantee"))
                .contains("Java is new enough", REACHED, ENOUGH_CONNECTIONS);

        Terminal.CommandOutput away = doctor("--node", "n1", "--store", "postgresql://loopkeeper@127.0.0.1:1/seen");
        assertThat(away.exitCode()).isEqualTo(ExitCodes.REFUSED);
        assertThat(away.out()).contains("no   " + REACHED + " (127.0.0.1:1/seen does not answer", "Check its URL");

        Terminal.CommandOutput alone = doctor("--lease", "8s");
        assertThat(alone.exitCode()).isEqualTo(ExitCodes.REFUSED);
        assertThat(alone.out()).isEmpty();
        assertThat(alone.err()).contains("--lease needs --store");
        assertThat(data).doesNotExist();
    }

    @Test
    void reportsAnUnreachableDatabaseWithTheRemedy() {
        ask("postgresql://loopkeeper@127.0.0.1:1/seen").refuses(REACHED, "does not answer", "Check its URL");
        ask("postgresql://loopkeeper@nobody.invalid/seen")
                .refuses(REACHED, "the host name cannot be resolved", "name resolution");
        ask(server.url("postgres", "nowhere")).refuses(REACHED, "/nowhere does not exist", "createdb");
        terminal.environment.put("LOOPKEEPER_STORE_PASSWORD", "hunter2");
        DoctorReport report = ask(server.url("loopkeeper", "seen"));
        report.refuses(REACHED, "refuses this user", "LOOPKEEPER_STORE_PASSWORD", "--store-password-file");
        assertThat(report.checks().toString()).doesNotContain("hunter2");
    }

    @Test
    void reportsAllReasonsWhyAServerMayLoseCommits() throws IOException {
        server.execute("postgres", "ALTER DATABASE seen SET synchronous_commit = off");
        ask(url()).refuses(KEEPS, "has synchronous_commit = off", "ALTER DATABASE");

        try (StoreServer careless = StoreServer.on(
                folder.resolve("careless"),
                builder -> builder.setServerConfig("fsync", "off").setServerConfig("synchronous_commit", "off"))) {
            ask(careless.url("postgres", "postgres")).refuses(KEEPS, "has fsync = off", "has synchronous_commit = off");
            assertThat(careless.isTouched("postgres")).isFalse();
        }
    }

    @Test
    void reportsAnAsynchronousStandby() throws IOException {
        Path first = folder.resolve("primary");
        Path second = folder.resolve("standby");
        StoreServer.on(first, UnaryOperator.identity()).close();
        Standby.copy(first, second);
        try (StoreServer primary = StoreServer.on(first, UnaryOperator.identity())) {
            try (StoreServer standby = Standby.of(primary, second)) {
                Awaitility.await()
                        .until(() -> primary.ask("postgres", "SELECT state FROM pg_stat_replication")
                                .equals(List.of("streaming")));
                ask(primary.url("postgres", "postgres"))
                        .refuses(KEEPS, "has an asynchronous standby", "synchronous_standby_names");
                ask(standby.url("postgres", "postgres")).refuses(KEEPS, "is a standby, which is read-only");
            }
        }
    }

    private List<String> steps() {
        return server.ask("seen", "SELECT number::text FROM loopkeeper.migrations ORDER BY number");
    }

    @Test
    void reportsAnotherFormatAndLeavesIt() throws Exception {
        try (ServedNode node = serve("n2")) {
            assertThat(node.url()).isNotEmpty();
        }
        List<String> now = steps();
        ask(url()).holds(TABLES, "format " + now.size());

        server.execute(
                "seen", "INSERT INTO loopkeeper.migrations SELECT max(number) + 1, 7 FROM loopkeeper.migrations");
        ask(url()).refuses(TABLES, "has format " + (now.size() + 1), "Use the Loopkeeper that wrote it");
        assertThat(steps()).hasSize(now.size() + 1);
    }

    @Test
    void reportsAStoreOfASingleDataFolder() throws Exception {
        try (ServedNode node = serve("n2")) {
            assertThat(node.url()).isNotEmpty();
        }
        server.execute("seen", "UPDATE loopkeeper.meta SET value = 'a folder' WHERE key = 'data-folder'");

        ask(url()).refuses(TABLES, "is the store of another data folder");
    }

    @Test
    void reportsTooFewConnectionsForTheNodes() {
        server.execute("postgres", "ALTER DATABASE seen CONNECTION LIMIT 17");
        server.execute("postgres", "ALTER USER loopkeeper CONNECTION LIMIT 15");
        String three = "127.0.0.1:5701,127.0.0.1:5702,127.0.0.1:5703";

        ask(
                        url(),
                        "--cluster",
                        three.substring(0, 29),
                        "--cluster-bind",
                        BusPorts.free().toString())
                .holds(ENOUGH_CONNECTIONS, "2 nodes need 12", "has 17");
        ask(url(), "--cluster", three, "--cluster-bind", BusPorts.free().toString())
                .warns(ENOUGH_CONNECTIONS, "3 nodes need 18 connections, the database has 17", "max_connections");
        terminal.environment.put("LOOPKEEPER_STORE_PASSWORD", "right");
        server.execute("postgres", "GRANT CREATE ON DATABASE seen TO loopkeeper");
        ask(
                        server.url("loopkeeper", "seen"),
                        "--cluster",
                        three,
                        "--cluster-bind",
                        BusPorts.free().toString())
                .warns(ENOUGH_CONNECTIONS, "the database has 15");
        server.execute("postgres", "ALTER USER loopkeeper CONNECTION LIMIT -1");
    }

    @Test
    void reportsAUserWhoMayNotCreateTables() {
        terminal.environment.put("LOOPKEEPER_STORE_PASSWORD", "right");

        ask(server.url("loopkeeper", "seen")).refuses(TABLES, "this user may not create them", "GRANT CREATE");
    }

    @Test
    void reportsTheConnectionsOfANodeAndADuplicateName() throws Exception {
        try (ServedNode node = serve("n1")) {
            String url = node.url();
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(server.ask("postgres", CONNECTIONS)).containsExactly("6"));

            ask(url()).refuses(NAME, "node n1 is active with another data folder at " + url, "another name");
            askAs("n2", url()).holds(NAME, "no other node is active as n2");
            askAs("n2", url()).holds(ENOUGH_CONNECTIONS, "2 nodes need 12");
        }
        ask(url()).holds(NAME, "no other node is active as n1");
    }

    @Test
    void theRunningNodeItselfIsNoDuplicate() throws Exception {
        String here = BusPorts.free().toString();
        try (ServedNode node = serve("n1", "--cluster", here)) {
            assertThat(node.url()).isNotEmpty();
            data = folder.resolve("n1");

            DoctorReport report = ask(url(), "--cluster", here);

            report.holds(NAME, "n1 is active now");
            report.holds(BUS, "are in use by this node, which is running");
            report.assertStarts();
        }
    }

    @Test
    void reportsAWorkspaceRootThatDiffersFromOtherNodes() throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        String guarantee = "runs below " + root + " may be executed by any node";
        ask(url(), "--shared-root", folder.resolve("none").toString())
                .refuses(OPTIONS, "is not a folder; mount the folder");
        try (ServedNode first = serve("n2")) {
            assertThat(first.url()).isNotEmpty();
        }
        ask(url(), "--shared-root", root.toString()).holds(guarantee, "the first node marks it");
        assertThat(root).isEmptyDirectory();
        try (ServedNode first = serve("n2", "--shared-root", root.toString())) {
            assertThat(first.url()).isNotEmpty();
        }
        ask(url(), "--shared-root", root.toString()).holds(guarantee, "its marker equals that of the other nodes");

        Files.writeString(root.resolve(".loopkeeper-root"), "of another folder, mounted here by mistake");
        ask(url(), "--shared-root", root.toString()).refuses(guarantee, "holds another mark", "Mount the shared");
        Files.delete(root.resolve(".loopkeeper-root"));
        ask(url(), "--shared-root", root.toString())
                .refuses(guarantee, "it has no .loopkeeper-root", "Mount the shared");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void reportsIncompleteNodeOptions() {
        ask(url(), "--lease", "5s").refuses(OPTIONS, "--lease must be a duration from 6s");
        ask("postgresql://loopkeeper:hunter2@127.0.0.1/x").refuses(OPTIONS, "must not hold a password");
        ask(url(), "--cluster-bind", "127.0.0.1").refuses(OPTIONS, "--cluster-bind needs --cluster");
    }

    @Test
    void reportsProblemsOfTheBus() throws Exception {
        ask(url(), "--cluster", BusPorts.free().toString()).holds(BUS, "are free");
        ask(url(), "--cluster", "127.0.0.1:57o1").refuses(BUS, "member 1, '127.0.0.1:57o1', is not like host:port");
        ask(
                        url(),
                        "--cluster",
                        "192.0.2.11:5701",
                        "--cluster-bind",
                        BusPorts.free().toString())
                .refuses(BUS, "beyond this machine", "--cluster-tls-certificate");
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ask(url(), "--cluster", "127.0.0.1:" + held.getLocalPort()).refuses(BUS, "cannot listen at");
        }
    }

    private DoctorReport withBusTls(TestAuthority authority, TestAuthority.Certificate shown) throws Exception {
        return ask(
                url(),
                "--cluster",
                BusPorts.free().toString(),
                "--cluster-tls-certificate",
                shown.certificate().toString(),
                "--cluster-tls-key",
                shown.key().toString(),
                "--cluster-tls-trust",
                authority.certificate().toString());
    }

    @Test
    void reportsAnExpiredCertificateOfTheBus() throws Exception {
        TestAuthority authority = new TestAuthority(keys.resolve("bus"));

        withBusTls(authority, authority.sign("dns:node", 1, 30)).holds(BUS, "are free");
        withBusTls(authority, authority.sign("dns:node", 5, 2)).refuses(BUS, "NotAfter", "use a valid certificate");
    }

    @Test
    void checksTheCertificateOfTheDatabase() throws Exception {
        TestAuthority authority = new TestAuthority(keys.resolve("store"));
        String trusted = authority.certificate().toString();
        try (StoreServer closed = StoreServer.on(folder.resolve("tls"), UnaryOperator.identity())) {
            String seen = closed.url("postgres", "postgres");
            ask(seen, "--store-ca", trusted).refuses(REACHED, "offers no TLS");
            shows(closed, authority.sign("ip:127.0.0.1", 1, 30));
            DoctorReport sound = ask(seen, "--store-ca", trusted);
            sound.holds("the connection to the database is private", "TLS with a verified certificate");
            shows(closed, authority.sign("ip:127.0.0.1", 5, 2));
            ask(seen, "--store-ca", trusted).refuses(REACHED, "with TLS: NotAfter");
        }
    }

    private static void shows(StoreServer closed, TestAuthority.Certificate certificate) throws IOException {
        closed.certificate(certificate);
        closed.set("ssl", "on");
        closed.reload();
        String before =
                closed.ask("postgres", "SELECT pg_conf_load_time()::text").get(0);
        closed.reload();
        Awaitility.await()
                .until(() -> !closed.ask("postgres", "SELECT pg_conf_load_time()::text")
                        .equals(List.of(before)));
    }
}
