package dev.loopkeeper.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Makes a second PostgreSQL that follows a first one. */
final class Standby {
    private Standby() {}

    /** Of the folder of a server that does not run. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** On a copy of the primary's folder; follows it, and the primary does not wait for it. */
    static StoreServer of(StoreServer primary, Path copied) throws IOException {
        Files.createFile(copied.resolve("standby.signal"));
        Files.writeString(
                copied.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 user=postgres port=" + primary.port() + "'\n");
        return StoreServer.on(copied, UnaryOperator.identity());
    }
}
