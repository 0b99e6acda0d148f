package dev.loopkeeper.chaos;

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
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A real PostgreSQL, as durable as in earnest, that can be ended and started again on the same port. */
final class ChaosDatabase implements AutoCloseable {
    private final Path data;
    private final Path log;
    private final EmbeddedPostgres server;
    private Optional<Process> again = Optional.empty();

    ChaosDatabase(Path folder) throws IOException {
        Path work = Files.createDirectories(Path.of("target", "postgres").toAbsolutePath());
        data = Files.createTempDirectory(work, "chaos");
        log = folder.resolve("postgres.log");
        server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(work.toFile())
                .setDataDirectory(data)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
        ask("CREATE DATABASE chaos TEMPLATE template0 ENCODING 'UTF8'", "postgres");
    }

    int port() {
        return server.getPort();
    }

    /** All columns of each row, parted by a space. */
    List<String> ask(String sql) {
        return ask(sql, "chaos");
    }

    private List<String> ask(String sql, String name) {
        String url = "jdbc:postgresql://127.0.0.1:" + port() + "/" + name + "?currentSchema=loopkeeper";
        try (Connection connection = DriverManager.getConnection(url, "postgres", "");
                Statement statement = connection.createStatement()) {
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
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    private long postmaster() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }

    /** @param mode {@code INT} for a fast end, {@code QUIT} for one without a farewell */
    void restart(String mode) throws IOException {
        long pid = postmaster();
        List<String> words = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            // The server refuses to be run by root, so it believes to be somebody else.
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
        if (again.isPresent()) {
            Signals.send("INT", postmaster());
            Awaitility.await().until(() -> !again.get().isAlive());
        }
        server.close();
    }
}
