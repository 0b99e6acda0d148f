package dev.loopkeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Writes into named pipes. */
public final class NamedPipe {
    private static final long PATIENCE_SECONDS = 60;

    private NamedPipe() {}

    /** Waits for the reader, on a thread of its own: no interrupt reaches who opens a pipe that nothing reads. */
    public static void write(Path pipe, String text) {
        CompletableFuture.runAsync(() -> open(pipe, text))
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private static void open(Path pipe, String text) {
        try {
            Path unused = Files.writeString(pipe, text);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
