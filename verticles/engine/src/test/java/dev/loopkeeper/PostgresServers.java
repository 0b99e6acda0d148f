package dev.loopkeeper;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Real PostgreSQL servers that Maven brings, as durable as in earnest. The process that starts one ends it by {@link #end}. */
public final class PostgresServers {
    /** Its own default is one folder for all users of a machine. Here it is unpacked once for each checkout. */
    private static final Path WORK =
            Path.of("..", "..", "target", "postgres").toAbsolutePath().normalize();

    private PostgresServers() {}

    /** A new folder for a server, where there is space. */
    public static Path folder(String prefix) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(WORK), prefix);
    }

    /** As {@link #folder}, in memory. */
    public static Path folderInMemory(String prefix) throws IOException {
        return MemoryFolder.create(Files.createDirectories(WORK), prefix);
    }

    /** A server on this folder; where that holds none, on a new one as {@code initdb} makes it. */
    public static EmbeddedPostgres.Builder on(Path data) throws IOException {
        if (!Files.exists(data.resolve("postgresql.conf"))) {
            run("cp", "-a", fresh() + "/.", Files.createDirectories(data).toString());
        }
        return server(data)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                // Tests make a hundred databases, in which it would search for work each second.
                .setServerConfig("autovacuum", "off");
    }

    private static EmbeddedPostgres.Builder server(Path data) {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(WORK.toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                // On a busy machine its own ten seconds were too short, which failed all tests of a process.
                .setPGStartupWait(Duration.ofMinutes(2))
                .setPort(FreePorts.next());
    }

    /** Ends a server and removes its folder. */
    public static void end(EmbeddedPostgres server, Path data) throws IOException {
        server.close();
        run("rm", "-rf", data.toString());
    }

    /** What {@code initdb} makes takes it a second of the processor, so it is made once for each checkout and version. */
    private static Path fresh() throws IOException {
        String version =
                PostgresServers.class.getResource("/postgres-linux-x86_64.txz").toString();
        Path fresh = Files.createDirectories(WORK).resolve("fresh-" + Integer.toHexString(version.hashCode()));
        try (FileChannel file = FileChannel.open(WORK.resolve("fresh.lock"), CREATE, WRITE);
                FileLock lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            if (!Files.exists(fresh)) {
                Path making = folder("making");
                server(making).start().close();
                // By this file a later server would take it for an abandoned one, and remove it.
                Files.delete(making.resolve("epg-lock"));
                Files.move(making, fresh);
            }
        }
        return fresh;
    }

    private static void run(String... words) throws IOException {
        Process program = new ProcessBuilder(words).inheritIO().start();
        assertThat(program.onExit().join().exitValue()).isZero();
    }
}
