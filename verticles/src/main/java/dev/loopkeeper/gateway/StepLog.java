package dev.loopkeeper.gateway;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The output of one step on disk. All methods block. */
final class StepLog {
    private final Path steps;
    private final Path file;

    /** {@code <data>/runs/<runId>/steps/<stepId>/<stream>.log}; the names have been checked to be plain. */
    StepLog(Path dataFolder, String runId, String stepId, String stream) {
        this.steps = dataFolder.resolve("runs").resolve(runId).resolve("steps");
        this.file = steps.resolve(stepId).resolve(stream + ".log");
    }

    /** Bytes so far; 0 while there is no file. */
    long size() throws IOException {
        return exists() ? Files.size(file) : 0;
    }

    /** Up to so many bytes from here on; fewer at the end, none while there is no file. */
    Buffer read(long offset, int length) throws IOException {
        if (!exists()) {
            return Buffer.buffer();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            int count = 0;
            while (bytes.hasRemaining() && count >= 0) {
                count = channel.read(bytes, offset + bytes.position());
            }
            return Buffer.buffer(bytes.position()).appendBytes(bytes.array(), 0, bytes.position());
        }
    }

    /** A link that leads out of the run's folder, laid by an agent, counts as no file. */
    private boolean exists() throws IOException {
        try {
            return file.toRealPath().startsWith(steps.toRealPath()) && Files.isRegularFile(file);
        } catch (NoSuchFileException notYet) {
            return false;
        }
    }
}
