package dev.loopkeeper.cli;

import dev.loopkeeper.PostgresServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A real PostgreSQL of a test, as durable as in earnest, whose settings may be changed while it runs. */
final class StoreServer implements AutoCloseable {
    private final Path data;
    private final EmbeddedPostgres server;

    private final boolean keeps;

    private StoreServer(Path data, boolean keeps, UnaryOperator<EmbeddedPostgres.Builder> more) {
        this.data = data;
        this.keeps = keeps;
        try {
            this.server = more.apply(PostgresServers.on(data)).start();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    static StoreServer start() {
        try {
            return new StoreServer(PostgresServers.folderInMemory("loopkeeper-store"), false, UnaryOperator.identity());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** Starts a server on which this user must log in with this password. */
    static StoreServer startWithPassword(String user, String password) throws IOException {
        StoreServer server = start();
        server.execute("postgres", "CREATE USER " + user + " PASSWORD '" + password + "'");
        Path rules = server.data().resolve("pg_hba.conf");
        String others = Files.readString(rules);
        Files.writeString(rules, "host all " + user + " 127.0.0.1/32 scram-sha-256\n" + others);
        server.reload();
        return server;
    }

    /** On this data folder, which stays, with more settings. */
    static StoreServer on(Path data, UnaryOperator<EmbeddedPostgres.Builder> more) {
        return new StoreServer(data, true, more);
    }

    int port() {
        return server.getPort();
    }

    Path data() {
        return data;
    }

    /** A database of this name that no test has used yet. */
    void makeDatabase(String name) {
        execute("postgres", "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        execute("postgres", "CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8'");
    }

    String url(String user, String database) {
        return "postgresql://" + user + "@127.0.0.1:" + port() + "/" + database;
    }

    /** From now on for new connections. */
    void set(String setting, String value) {
        execute("postgres", "ALTER SYSTEM SET " + setting + " = '" + value + "'");
        execute("postgres", "SELECT pg_reload_conf()");
    }

    /** Shows this certificate to new connections from now on, once {@link #reload} was called. */
    void certificate(TestAuthority.Certificate shown) throws IOException {
        place(shown.certificate(), "server.crt");
        place(shown.key(), "server.key");
    }

    void reload() {
        execute("postgres", "SELECT pg_reload_conf()");
    }

    private void place(Path from, String name) throws IOException {
        Path next = data.resolve(name + ".next");
        Files.copy(from, next, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
        Files.move(next, data.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whether Loopkeeper has made or changed anything of this database. */
    boolean isTouched(String database) {
        return !ask(database, "SELECT 1 FROM pg_namespace WHERE nspname = 'loopkeeper'")
                .isEmpty();
    }

    /** By the server's owner. */
    void execute(String database, String sql) {
        List<String> unused = ask(database, sql);
    }

    /** The first column of the answer, by the server's owner. */
    List<String> ask(String database, String sql) {
        String url = "jdbc:postgresql://127.0.0.1:" + port() + "/" + database + "?sslmode=disable";
        try (Connection connection = DriverManager.getConnection(url, "postgres", "");
                Statement statement = connection.createStatement()) {
            List<String> found = new ArrayList<>();
            if (statement.execute(sql)) {
                ResultSet rows = statement.getResultSet();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        } catch (SQLException refused) {
            throw new IllegalStateException(sql, refused);
        }
    }

    @Override
    public void close() throws IOException {
        if (keeps) {
            server.close();
        } else {
            PostgresServers.end(server, data);
        }
    }
}
