package dev.loopkeeper.process;

import io.vertx.core.WorkerExecutor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * A launcher that this runtime started. Keeps its standard input open for as long as it lives: one that follows the
 * runtime would else end the agent. Thread-safe.
 */
final class StartedLauncher {
    /** ETXTBSY, as Java 17 and Java 25 write it. */
    private static final Pattern PROGRAM_BUSY = Pattern.compile("error[=:] ?26\\b");

    private static final int MOST_BYTES = 64 * 1024;
    private static final int BUSY_TRIES = 40;
    private static final int BUSY_PAUSE_MILLIS = 5;

    private final Process process;
    private final CompletionStage<String> firstLine;

    /** @param workers one of them waits for the first line */
    StartedLauncher(Process process, WorkerExecutor workers) {
        this.process = process;
        this.firstLine =
                workers.executeBlocking(this::readLine, false).otherwise("").toCompletionStage();
    }

    /**
     * Starts a program that was perhaps written a moment ago: a child that another thread starts at that moment holds it
     * open for writing until it is executed. Blocking.
     */
    static Process begin(ProcessBuilder program) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return program.start();
            } catch (IOException refused) {
                if (tries == BUSY_TRIES
                        || !PROGRAM_BUSY.matcher(refused.toString()).find()) {
                    throw refused;
                }
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(BUSY_PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** The launcher prints a short line. A longer one is cut, and the rest is not read. */
    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (InputStream output = process.getInputStream()) {
            for (int next = output.read();
                    next >= 0 && next != '\n' && line.size() < MOST_BYTES;
                    next = output.read()) {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Returns the first line of the launcher; empty when it ended without one. Never fails. */
    CompletionStage<String> firstLine() {
        return firstLine;
    }

    /** Completes once it is gone and was waited for; never fails. */
    CompletionStage<Void> gone() {
        return process.onExit().thenAccept(ended -> {});
    }

    /** Whether the launcher may live: it is not known to be gone. */
    boolean lives() {
        return process.isAlive();
    }
}
