package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;

/** A command that is under way, on a thread of its own. It ends with the command, or when it is closed. */
public final class RunningCommand implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final ByteArrayOutputStream out;
    private final ByteArrayOutputStream err;
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final Thread thread;

    RunningCommand(ByteArrayOutputStream out, ByteArrayOutputStream err, IntSupplier command) {
        this.out = out;
        this.err = err;
        thread = new Thread(() -> {
            try {
                exitCode.complete(command.getAsInt());
            } catch (RuntimeException | Error failed) {
                exitCode.completeExceptionally(failed);
            }
        });
        thread.start();
    }

    /** What it has printed so far. */
    public String said() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    public void untilSaid(String text) {
        Awaitility.await().atMost(SOON).until(() -> said().contains(text) || exitCode.isDone());
        assertThat(said()).contains(text);
    }

    /** Waits for its end. */
    public int exitCode() {
        return exitCode.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(SOON.toMillis());
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
