package dev.loopkeeper.store.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of its own that does to a store what people do with the {@code sqlite3} program: it counts, makes a backup,
 * vacuums into a new file, again and again. Each time it opens the database as that program does, for writing, and so
 * removes the log with its close where no other process seems to have the database open. A copy that is damaged, has a
 * gap in a run or fewer events than an earlier one is reported.
 */
public final class OutsideReader implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final long PAUSE_NANOS = 100_000_000;

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread listener;

    private OutsideReader(Process process) {
        this.process = process;
        this.listener = new Thread(this::receive, "outside-reader");
        listener.start();
    }

    /** Begins once the data folder has a store. */
    public static OutsideReader of(Path data, Path copies) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                OutsideReader.class.getName(),
                data.toString(),
                Files.createDirectories(copies).toString());
        return new OutsideReader(builder.redirectError(Redirect.INHERIT).start());
    }

    private void receive() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            output.lines().forEach(lines::add);
        } catch (IOException gone) {
            lines.add("failed: " + gone);
        }
    }

    /** How often it has looked, copied and vacuumed. */
    public int rounds() {
        return lines.size();
    }

    /** Ends it after the round that is under way. Answers what went wrong, if anything did. */
    public Optional<String> end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            close();
            return Optional.of("does not end");
        }
        listener.join();
        return lines.stream()
                .filter(line -> line.startsWith("failed"))
                .findFirst()
                .or(() -> process.exitValue() == 0 ? Optional.empty() : Optional.of("exit " + process.exitValue()));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Arguments: the data folder, a folder for copies. Ends with its standard input. */
    public static void main(String[] arguments) throws Exception {
        Path database = Path.of(arguments[0]).resolve(StoreFile.NAME);
        Path copies = Path.of(arguments[1]);
        Thread reported = new Thread(OutsideReader::awaitEnd, "end");
        reported.setDaemon(true);
        reported.start();
        long before = 0;
        while (reported.isAlive()) {
            if (Files.exists(database)) {
                try {
                    before = round(database, copies, before);
                    System.out.println("round with " + before + " events");
                } catch (SQLException | IllegalStateException wrong) {
                    System.out.println("failed: " + wrong);
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static void awaitEnd() {
        try {
            long read = System.in.transferTo(OutputStream.nullOutputStream());
            System.out.println("read " + read);
        } catch (IOException gone) {
            System.out.println("whoever reads this is gone");
        }
    }

    private static long round(Path database, Path copies, long before) throws SQLException, IOException {
        Path backup = copies.resolve("backup.db");
        Path vacuumed = copies.resolve("vacuumed.db");
        Files.deleteIfExists(backup);
        Files.deleteIfExists(vacuumed);
        long counted = count(database);
        run(database, "backup to '" + backup + "'");
        run(database, "VACUUM INTO '" + vacuumed + "'");
        for (Path copy : List.of(backup, vacuumed)) {
            long copied = check(copy);
            if (counted < before || copied < counted) {
                throw new IllegalStateException(
                        copy + " has " + copied + " events after " + counted + " and " + before);
            }
        }
        return counted;
    }

    private static Connection open(Path file) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout=20000");
        }
        return connection;
    }

    private static long count(Path file) throws SQLException {
        try (Connection connection = open(file)) {
            return Long.parseLong(answer(connection, "select count(*) from events"));
        }
    }

    private static void run(Path file, String statement) throws SQLException {
        try (Connection connection = open(file);
                Statement sql = connection.createStatement()) {
            sql.executeUpdate(statement);
        }
    }

    private static long check(Path copy) throws SQLException {
        try (Connection connection = open(copy)) {
            String sound = answer(connection, "PRAGMA integrity_check");
            if (!sound.equals("ok")) {
                throw new IllegalStateException(copy + " is damaged: " + sound);
            }
            String gaps = answer(
                    connection,
                    "select count(*) from (select 1 from events group by run_id"
                            + " having count(*) <> max(sequence) - min(sequence) + 1)");
            if (!gaps.equals("0")) {
                throw new IllegalStateException(copy + " has gaps in " + gaps + " runs");
            }
            return Long.parseLong(answer(connection, "select count(*) from events"));
        }
    }

    private static String answer(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
