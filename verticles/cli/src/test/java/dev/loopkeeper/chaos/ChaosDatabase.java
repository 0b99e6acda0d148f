package dev.loopkeeper.chaos;

import dev.loopkeeper.PostgresServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A real PostgreSQL, as durable as in earnest, that can be ended and started again on the same port. */
final class ChaosDatabase implements AutoCloseable {
    /** Of the database that the nodes share. */
    static final String NAME = "chaos";

    private final Path data;
    private final Path log;
    private final EmbeddedPostgres server;
    /** By the name of the database. */
    private final Map<String, Connection> connections = new HashMap<>();

    private Optional<Process> again = Optional.empty();

    ChaosDatabase(Path folder) throws IOException {
        data = PostgresServers.folder("chaos");
        log = folder.resolve("postgres.log");
        server = PostgresServers.on(data).start();
        make(NAME);
    }

    /** Another database, with nothing in it. */
    void make(String name) {
        List<String> unused = ask("CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8'", "postgres");
    }

    int port() {
        return server.getPort();
    }

    /** All columns of each row, parted by a space. */
    List<String> ask(String sql) {
        return ask(sql, NAME);
    }

    /** Who looks again and again costs little: the connection stays. */
    private synchronized List<String> ask(String sql, String name) {
        try {
            Connection open = connections.get(name);
            if (open == null) {
                open = connect(name);
                connections.put(name, open);
            }
            return rows(open, sql);
        } catch (SQLException refused) {
            forget(name);
            throw new IllegalStateException(sql, refused);
        }
    }

    private void forget(String name) {
        Connection open = connections.remove(name);
        if (open != null) {
            try {
                open.close();
            } catch (SQLException gone) {
                // It is.
            }
        }
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            List<String> found = new ArrayList<>();
            if (statement.execute(sql)) {
                ResultSet rows = statement.getResultSet();
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (int column = 1; column <= columns; column++) {
                        row.add(String.valueOf(rows.getString(column)));
                    }
                    found.add(String.join(" ", row));
                }
            }
            return found;
        }
    }

    /** The address for a node, without a link between. */
    String url(String name) {
        return "postgresql://postgres@127.0.0.1:" + port() + "/" + name;
    }

    Connection connect(String name) throws SQLException {
        String url = "jdbc:postgresql://127.0.0.1:" + port() + "/" + name + "?currentSchema=loopkeeper";
        return DriverManager.getConnection(url, "postgres", "");
    }

    private long postmaster() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }

    /** Of all processes that serve a connection or the server itself, since they were started. */
    double cpuMillis() throws IOException {
        return ProcessHandle.of(postmaster())
                .orElseThrow()
                .descendants()
                .mapToDouble(Signals::cpuMillis)
                .sum();
    }

    /** @param mode {@code INT} for a fast end, {@code QUIT} for one without a farewell */
    void restart(String mode) throws IOException {
        long pid = postmaster();
        List<String> words = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            // The server refuses to be run by root, so it believes to be another user.
            words.addAll(List.of("unshare", "-U"));
        }
        String line = Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.UTF_8);
        words.addAll(List.of(line.substring(0, line.length() - 1).split("\0")));
        Signals.send(mode, pid);
        Awaitility.await().until(() -> !Signals.isAlive(pid));
        again = Optional.of(new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
        Awaitility.await().ignoreExceptions().until(() -> ask("SELECT 1").equals(List.of("1")));
    }

    @Override
    public void close() throws IOException {
        List.copyOf(connections.keySet()).forEach(this::forget);
        // Also one that was started again: it is ended by the file that names its process.
        PostgresServers.end(server, data);
        again.ifPresent(process -> Awaitility.await().until(() -> !process.isAlive()));
    }
}
