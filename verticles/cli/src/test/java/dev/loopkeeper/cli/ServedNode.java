package dev.loopkeeper.cli;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** {@code serve} as it is typed, on a thread of its own: it refuses, or serves until it is closed. */
public final class ServedNode implements AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(90);

    private final Path data;
    private final CompletableFuture<Terminal.CommandOutput> over = new CompletableFuture<>();
    private final Thread thread;

    /** @param words beside those of the port and the data folder */
    public ServedNode(Path data, String... words) {
        this(new Terminal(data), data, words);
    }

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

    /** What it said when it ended, which it does on its own. */
    Terminal.CommandOutput refusal() throws InterruptedException, ExecutionException, TimeoutException {
        return over.get(MOST.toSeconds(), TimeUnit.SECONDS);
    }

    /** Its URL, once it serves. A server that was killed may have left its own behind. */
    public String url() {
        Awaitility.await().atMost(MOST).until(() -> over.isDone() || address().isPresent());
        if (over.isDone()) {
            throw new AssertionError("it has ended: " + over.getNow(null).err());
        }
        return address().orElseThrow().url();
    }

    private Optional<ServerAddress> address() {
        return new DataFolder(data).serverFile().read();
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
