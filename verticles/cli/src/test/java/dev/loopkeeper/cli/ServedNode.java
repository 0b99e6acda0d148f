package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** {@code serve} as it is typed, on a thread of its own: it refuses, or serves until it is closed. */
final class ServedNode implements AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(90);

    private final Path data;
    private final CompletableFuture<Terminal.Said> over = new CompletableFuture<>();
    private final Thread thread;

    ServedNode(Terminal terminal, Path data, String... words) {
        this.data = data;
        List<String> all = new ArrayList<>(List.of("serve", "--port", "0", "--data", data.toString()));
        all.addAll(List.of(words));
        thread = new Thread(() -> {
            try {
                over.complete(terminal.plain(all.toArray(new String[0])));
            } catch (RuntimeException | Error failed) {
                over.completeExceptionally(failed);
            }
        });
        thread.start();
    }

    /** What it said when it ended, which it does by itself. */
    Terminal.Said refusal() throws InterruptedException, ExecutionException, TimeoutException {
        return over.get(MOST.toSeconds(), TimeUnit.SECONDS);
    }

    /** Its address, once it serves. */
    String url() {
        Path file = data.resolve("server.json");
        Awaitility.await().atMost(MOST).until(() -> over.isDone() || Files.exists(file));
        if (over.isDone()) {
            throw new AssertionError("it has ended: " + over.getNow(null).err());
        }
        try {
            JsonNode told = Json.MAPPER.readTree(Files.readString(file));
            return told.get("url").asText();
        } catch (IOException gone) {
            throw new AssertionError(gone);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(MOST.toMillis());
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new AssertionError("serve does not end");
        }
    }
}
