package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes no cluster is refused with its place and the remedy by a real PostgreSQL, before anything is started. */
class ServeRefusalsTest {
    private static StoreServer server;

    @TempDir
    Path folder;

    private Terminal terminal;

    @BeforeAll
    static void start() throws IOException {
        server = StoreServer.start();
        server.execute("postgres", "CREATE USER loopkeeper PASSWORD 'right'");
        Path rules = server.data().resolve("pg_hba.conf");
        String others = Files.readString(rules);
        Files.writeString(rules, "host all loopkeeper 127.0.0.1/32 scram-sha-256\n" + others);
        server.reload();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void prepare() {
        server.makeDatabase("runs");
        terminal = new Terminal(folder.resolve("data"));
    }

    private ServedNode serve(Path data, String node, String url, String... words) {
        List<String> all = new ArrayList<>(List.of("--node", node, "--store", url));
        all.addAll(List.of(words));
        return new ServedNode(terminal, data, all.toArray(new String[0]));
    }

    private ServedNode serve(String url, String... words) {
        return serve(folder.resolve("data"), "n1", url, words);
    }

    private static void assertRefused(ServedNode node, String... why) throws Exception {
        try (node) {
            Terminal.Said said = node.refusal();
            assertThat(said.exitCode()).as(said.out() + said.err()).isEqualTo(ExitCodes.REFUSED);
            assertThat(said.err()).contains(why);
        }
    }

    private void assertRefusedUntouched(ServedNode node, String... why) throws Exception {
        assertRefused(node, why);
        assertThat(server.isTouched("runs")).isFalse();
        assertThat(folder.resolve("data/server.json")).doesNotExist();
    }

    private static String runs() {
        return server.url("postgres", "runs");
    }

    @Test
    void aWrongOrMissingPasswordIsRefused() throws Exception {
        String place = "127.0.0.1:" + server.port() + "/runs refuses this user";
        String locked = server.url("loopkeeper", "runs");

        assertRefusedUntouched(serve(locked), place, "LOOPKEEPER_STORE_PASSWORD");
        terminal.environment.put("LOOPKEEPER_STORE_PASSWORD", "hunter2");
        assertRefusedUntouched(serve(locked), place, "28P01", "LOOPKEEPER_STORE_PASSWORD", "--store-password-file");
    }

    @Test
    void anUnknownDatabaseIsRefused() throws Exception {
        assertRefused(serve(server.url("postgres", "nowhere")), "/nowhere does not exist", "createdb");
    }

    @Test
    void anUnknownHostIsRefused() throws Exception {
        assertRefused(
                serve("postgresql://loopkeeper@nobody.invalid/runs"),
                "nobody.invalid:5432/runs does not answer",
                "Check");
    }

    @Test
    void anotherEncodingIsRefused() throws Exception {
        server.execute("postgres", "DROP DATABASE IF EXISTS latin");
        server.execute(
                "postgres", "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'");

        assertRefused(serve(server.url("postgres", "latin")), "/latin has the encoding LATIN1", "ENCODING 'UTF8'");
        assertThat(server.isTouched("latin")).isFalse();
    }

    @Test
    void aServerThatMayForgetIsRefused() throws Exception {
        server.execute("runs", "ALTER DATABASE runs SET synchronous_commit = off");
        assertRefusedUntouched(serve(runs()), "has synchronous_commit = off", "ALTER DATABASE");
        try (StoreServer careless =
                StoreServer.on(folder.resolve("careless"), builder -> builder.setServerConfig("fsync", "off"))) {
            assertRefused(serve(careless.url("postgres", "postgres")), "has fsync = off", "Set it on");
            assertThat(careless.isTouched("postgres")).isFalse();
        }
    }

    @Test
    void aStandbyAndAPrimaryThatDoesNotWaitForItAreRefused() throws Exception {
        Path first = folder.resolve("primary");
        Path second = folder.resolve("standby");
        StoreServer.on(first, UnaryOperator.identity()).close();
        Standby.copy(first, second);
        try (StoreServer primary = StoreServer.on(first, UnaryOperator.identity())) {
            try (StoreServer standby = Standby.of(primary, second)) {
                Awaitility.await()
                        .until(() -> primary.ask("postgres", "SELECT state FROM pg_stat_replication")
                                .equals(List.of("streaming")));
                assertRefused(
                        serve(standby.url("postgres", "postgres")), "is a standby, which cannot be written", "primary");
                assertRefused(
                        serve(primary.url("postgres", "postgres")),
                        "has a standby that it does not wait for",
                        "synchronous_standby_names",
                        "loopkeeper.standbys");
                assertThat(primary.isTouched("postgres")).isFalse();
                primary.execute("postgres", "ALTER DATABASE postgres SET loopkeeper.standbys = 'never-promoted'");
                try (ServedNode node = serve(primary.url("postgres", "postgres"))) {
                    assertThat(node.url()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void aNewerFormatIsRefusedAndLeftAsItIs() throws Exception {
        try (ServedNode first = serve(folder.resolve("first"), "n1", runs())) {
            assertThat(first.url()).isNotEmpty();
        }
        server.execute(
                "runs", "INSERT INTO loopkeeper.migrations SELECT max(number) + 1, 7 FROM loopkeeper.migrations");
        List<String> before = server.ask("runs", "SELECT number FROM loopkeeper.migrations ORDER BY number");

        assertRefused(serve(runs()), "has format " + before.size(), "or a newer one; nothing was changed");
        assertThat(server.ask("runs", "SELECT number FROM loopkeeper.migrations ORDER BY number"))
                .isEqualTo(before);
        assertThat(folder.resolve("data/server.json")).doesNotExist();
    }

    @Test
    void aNameThatIsTakenAndACopiedFolderAreRefused() throws Exception {
        Path first = folder.resolve("first");
        try (ServedNode node = serve(first, "n1", runs())) {
            String url = node.url();
            Path copy = folder.resolve("copy");
            try (Stream<Path> files = Files.list(first)) {
                Files.createDirectory(copy);
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (!file.endsWith("server.json")) {
                        Files.copy(file, copy.resolve(file.getFileName()));
                    }
                }
            }
            assertThat(copy.resolve("folder-id")).hasSameTextualContentAs(first.resolve("folder-id"));
            List<String> before = incarnation();

            assertRefused(serve(runs()), "node n1 is at work with another data folder", url, "another name");
            assertRefused(serve(copy, "n1", runs()), "node n1 is at work with another data folder", url);
            assertThat(incarnation()).isEqualTo(before);
        }
    }

    private static List<String> incarnation() {
        return server.ask("runs", "SELECT incarnation || state FROM loopkeeper.nodes WHERE node = 'n1'");
    }

    @Test
    void aRootThatIsNotTheOthersIsRefused() throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        try (ServedNode first = serve(folder.resolve("first"), "n1", runs(), "--shared-root", root.toString())) {
            assertThat(first.url()).isNotEmpty();
        }
        Files.writeString(root.resolve(".loopkeeper-root"), "of another folder, mounted here by mistake");

        assertRefused(
                serve(folder.resolve("data"), "n2", runs(), "--shared-root", root.toString()),
                "shared root " + root + " is not the folder that the other nodes see",
                "Mount the shared folder");
        assertThat(server.ask("runs", "SELECT node FROM loopkeeper.nodes")).containsExactly("n1");
    }

    @Test
    void aPasswordFileThatHoldsNoneIsRefused() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertRefusedUntouched(serve(runs(), "--store-password-file", empty.toString()), empty + " is empty");
        assertRefusedUntouched(serve(runs(), "--store-password-file", binary.toString()), binary + " cannot be read");
        assertRefusedUntouched(serve(runs(), "--store-password-file", folder.toString()), folder + " cannot be read");
    }
}
