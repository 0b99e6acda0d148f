package dev.loopkeeper.process;

import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends what a handler says to a log of its step. Keeps 1 MiB until it is written. Thread-safe. */
final class HandlerLog {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerLog.class);
    private static final int MOST_WAITING = 1 << 20;

    private final SupervisorContext around;
    private final Path file;
    private final SingleFlight<Void> writes = new SingleFlight<>(this::write);
    private final StringBuilder waiting = new StringBuilder();
    private long dropped;

    HandlerLog(SupervisorContext around, Path file) {
        this.around = around;
        this.file = file;
    }

    void say(String text) {
        if (add(text)) {
            around.context().runOnContext(now -> writes.run());
        }
    }

    /** Returns whether a write must be requested. */
    private synchronized boolean add(String text) {
        boolean first = waiting.isEmpty() && dropped == 0;
        int fits = Math.min(text.length(), MOST_WAITING - waiting.length());
        dropped += text.length() - fits;
        if (fits > 0 || text.isEmpty()) {
            waiting.append(text, 0, fits).append('\n');
        }
        return first;
    }

    private synchronized String take() {
        String lost = dropped == 0 ? "" : "[" + dropped + " characters were not written: the handler says too much]\n";
        String taken = waiting + lost;
        waiting.setLength(0);
        dropped = 0;
        return taken;
    }

    /** Completes when all that was said is written. Call it on the supervisor's context. */
    Future<Void> flush() {
        return writes.run();
    }

    private Future<Void> write() {
        return around.workers()
                .<Void>executeBlocking(
                        () -> {
                            append(take());
                            return null;
                        },
                        false)
                .recover(unwritten -> {
                    LOG.warn("{} cannot be written: {}", file, unwritten.toString());
                    return Future.succeededFuture();
                });
    }

    private void append(String text) throws IOException {
        if (!text.isEmpty()) {
            try (FileChannel log = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                OwnerOnly.writeAll(log, text.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
