package dev.loopkeeper.store.postgres;

import dev.loopkeeper.PostgresServers;
import dev.loopkeeper.store.OpenStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL: one for this JVM, a fresh database for each test. */
public final class TestDatabase {
    private static final AtomicInteger COUNT = new AtomicInteger();
    /** Stops the server that has this folder without a checkpoint, waits a minute for it at most, and removes the folder. */
    private static final String REMOVE = """
            if read -r pid < "$1/postmaster.pid" && kill -QUIT "$pid"; then
                tries=0
                while kill -0 "$pid" && [ "$tries" -lt 600 ]; do
                    sleep 0.1
                    tries=$((tries + 1))
                done
            fi
            rm -rf "$1"
            """;

    private static final EmbeddedPostgres SERVER = start();

    private final String name;

    private TestDatabase(String name) {
        this.name = name;
    }

    private static EmbeddedPostgres start() {
        try {
            Path data = PostgresServers.folderInMemory("loopkeeper-data");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> removeAside(data), "test-database-end"));
            return PostgresServers.on(data).setRegisterShutdownHook(false).start();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /**
     * In a process of its own. Each database is 300 files: where the machine is busy, removing them takes longer than
     * Surefire waits for the end of a JVM.
     */
    private static void removeAside(Path data) {
        try {
            new ProcessBuilder("sh", "-c", REMOVE, "sh", data.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** An empty database whose locale is not that of bytes. */
    public static TestDatabase fresh() {
        String name = "test" + COUNT.incrementAndGet();
        TestDatabase server = new TestDatabase("postgres");
        server.execute("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu"
                + " ICU_LOCALE 'en-US' LOCALE 'C'");
        return new TestDatabase(name);
    }

    /** With much patience, for a machine in use. */
    public PostgresOptions options() {
        String url = "postgresql://postgres@127.0.0.1:" + port() + "/" + name;
        return new PostgresOptions(url, Optional.empty(), Duration.ofSeconds(25));
    }

    /** For clients that have its address, as nodes do. */
    public static Future<OpenStore> open(Vertx vertx, PostgresOptions options) {
        return PostgresEventStore.open(vertx, options, new PgFormat(PgFormat.STEPS, Optional.empty()));
    }

    public static int port() {
        return SERVER.getPort();
    }

    public String name() {
        return name;
    }

    public void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(sql);
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    /** The first column of the answer. */
    public List<String> ask(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port() + "/" + name + "?currentSchema=loopkeeper", "postgres", "");
    }
}
