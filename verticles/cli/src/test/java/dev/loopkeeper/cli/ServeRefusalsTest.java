package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What makes no cluster is refused with its place and the remedy by a real PostgreSQL, before anything is started. */
@Execution(ExecutionMode.CONCURRENT)
class ServeRefusalsTest {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static StoreServer server;

    private final String database = "runs" + DATABASES.incrementAndGet();

    @TempDir
    Path folder;

    private Terminal terminal;
    /** All that is in the database when a node begins to start. */
    private List<String> before;

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
        server.makeDatabase(database);
        terminal = new Terminal(folder.resolve("data"));
    }

    private ServedNode serve(Path data, String node, String url, String... words) {
        before = catalogue();
        List<String> all = new ArrayList<>(List.of("--node", node, "--store", url));
        all.addAll(List.of(words));
        return new ServedNode(terminal, data, all.toArray(new String[0]));
    }

    private ServedNode serve(String url, String... words) {
        return serve(folder.resolve("data"), "n1", url, words);
    }

    /** In one line, before anything was made or changed. */
    private void assertRefused(ServedNode node, String... why) throws Exception {
        try (node) {
            Terminal.CommandOutput result = node.refusal();
            assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(ExitCodes.REFUSED);
            assertThat(result.err()).contains(why);
            assertThat(result.err().lines()).as(result.err()).hasSize(1);
        }
        assertThat(folder.resolve("data")).doesNotExist();
        assertThat(catalogue()).isEqualTo(before);
    }

    /** Each column of each table, whatever was made again, and the steps of the format. */
    private List<String> catalogue() {
        List<String> all = new ArrayList<>(server.ask(database, """
                SELECT c.oid || ' ' || n.nspname || '.' || c.relname || ' ' || a.attname || ' ' || a.attnum
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE n.nspname NOT LIKE 'pg_%' AND n.nspname <> 'information_schema' AND a.attnum > 0
                ORDER BY 1"""));
        all.addAll(server.ask(database, "SELECT nspname FROM pg_namespace ORDER BY 1"));
        if (server.isTouched(database)) {
            all.addAll(server.ask(database, "SELECT m::text FROM loopkeeper.migrations m ORDER BY 1"));
            all.addAll(server.ask(database, "SELECT m::text FROM loopkeeper.meta m WHERE key <> 'outbox'"));
            all.addAll(server.ask(database, "SELECT node || incarnation || state FROM loopkeeper.nodes ORDER BY 1"));
        }
        return all;
    }

    private void assertRefusedUntouched(ServedNode node, String... why) throws Exception {
        assertRefused(node, why);
        assertThat(server.isTouched(database)).isFalse();
    }

    private String runs() {
        return server.url("postgres", database);
    }

    @Test
    void aWrongOrMissingPasswordIsRefused() throws Exception {
        String place = "127.0.0.1:" + server.port() + "/" + database + " refuses this user";
        String locked = server.url("loopkeeper", database);

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
        server.execute(database, "ALTER DATABASE " + database + " SET synchronous_commit = off");
        assertRefusedUntouched(serve(runs()), "has synchronous_commit = off", "ALTER DATABASE");
        try (StoreServer careless =
                StoreServer.on(folder.resolve("careless"), builder -> builder.setServerConfig("fsync", "off"))) {
            assertRefused(serve(careless.url("postgres", "postgres")), "has fsync = off", "Set fsync = on");
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
                        serve(standby.url("postgres", "postgres")), "is a standby, which is read-only", "primary");
                assertRefused(
                        serve(primary.url("postgres", "postgres")),
                        "has an asynchronous standby",
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
                database, "INSERT INTO loopkeeper.migrations SELECT max(number) + 1, 7 FROM loopkeeper.migrations");
        int steps =
                server.ask(database, "SELECT number FROM loopkeeper.migrations").size();

        assertRefused(serve(runs()), "has format " + steps, "or a newer one; nothing was changed");
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
            List<Path> copied = files(copy);

            assertRefused(serve(runs()), "node n1 is active with another data folder", url, "another name");
            assertRefused(serve(copy, "n1", runs()), "node n1 is active with another data folder", url);
            assertThat(files(copy)).isEqualTo(copied);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().toList();
        }
    }

    /** Its row does not say that it lives: no node has fenced it since it was killed. */
    @Test
    void aNameWhoseNodeWasKilledIsTakenOverAfterALease() throws Exception {
        try (ServedNode node = serve(folder.resolve("first"), "n1", runs())) {
            assertThat(node.url()).isNotEmpty();
        }
        server.execute(database, "UPDATE loopkeeper.nodes SET state = 'live' WHERE node = 'n1'");

        try (ServedNode node = serve(folder.resolve("second"), "n1", runs(), "--lease", "6s")) {
            assertThat(node.url()).isNotEmpty();
        }
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
        Files.delete(root.resolve(".loopkeeper-root"));
        assertRefused(
                serve(folder.resolve("data"), "n2", runs(), "--shared-root", root.toString()),
                "it has no .loopkeeper-root");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void aUserWhoMayNotMakeTheTablesIsRefused() throws Exception {
        terminal.environment.put("LOOPKEEPER_STORE_PASSWORD", "right");

        assertRefusedUntouched(
                serve(server.url("loopkeeper", database)),
                "/" + database + " has no tables yet, and this user may not create them",
                "GRANT CREATE ON DATABASE");
    }

    /** All of them in one turn: none of them makes or changes what the next would find. */
    @Test
    void whatMakesNoNodeIsRefusedBeforeTheDatabaseIsAsked() throws Exception {
        assertRefusedUntouched(serve(runs(), "--lease", "5s"), "--lease must be a duration from 6s");
        assertRefusedUntouched(serve(runs(), "--cluster", "127.0.0.1:57o1"), "member 1, '127.0.0.1:57o1'");
        assertRefusedUntouched(serve(runs(), "--shared-root", "/nowhere/at/all"), "is not a folder; mount the folder");
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
