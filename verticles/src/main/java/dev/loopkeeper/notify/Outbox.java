package dev.loopkeeper.notify;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is owed, and up to where the events were looked at. Written behind its back: what a crash takes from it is
 * found again in the store, from its last written position on. Used from one context only.
 */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    /** How many events that concern nobody may be looked at again after a crash. */
    private static final long MOST_BEHIND = 500;

    private final WorkerExecutor workers;
    private final OutboxFile file;
    private final Map<Delivery.Key, Delivery> pending = new LinkedHashMap<>();
    private long position;
    private long written;
    private boolean changed;
    private boolean troubled;
    private Future<Void> writing = Future.succeededFuture();

    Outbox(WorkerExecutor workers, OutboxFile file, OutboxFile.Content content) {
        this.workers = workers;
        this.file = file;
        this.position = content.position();
        this.written = content.position();
        content.pending().forEach(delivery -> pending.put(delivery.key(), delivery));
    }

    /** What is owed, oldest first. */
    List<Delivery> pending() {
        return List.copyOf(pending.values());
    }

    long position() {
        return position;
    }

    /** Everything up to this position was looked at, and this is owed for it. Answers what was not owed before. */
    List<Delivery> advance(long to, List<Delivery> owed) {
        position = to;
        List<Delivery> fresh = owed.stream()
                .filter(delivery -> pending.putIfAbsent(delivery.key(), delivery) == null)
                .toList();
        if (!fresh.isEmpty() || position - written >= MOST_BEHIND) {
            change();
        }
        return fresh;
    }

    /** It failed once more. */
    void failed(Delivery delivery) {
        pending.replace(delivery.key(), delivery);
        change();
    }

    /** It was delivered or given up. */
    void settle(Delivery delivery) {
        pending.remove(delivery.key());
        change();
    }

    private void change() {
        changed = true;
        if (writing.isComplete()) {
            writing = write();
        }
    }

    private Future<Void> write() {
        changed = false;
        OutboxFile.Content content = new OutboxFile.Content(position, new ArrayList<>(pending.values()));
        return workers.executeBlocking(() -> file.write(content), false)
                .onSuccess(durable -> {
                    written = content.position();
                    troubled = false;
                })
                .recover(this::complain)
                .compose(over -> changed ? write() : Future.succeededFuture());
    }

    /** It is written again with the next change. */
    private Future<Void> complain(Throwable cause) {
        if (!troubled) {
            LOG.warn("the outbox of notifications cannot be written: {}", cause.toString());
        }
        troubled = true;
        return Future.succeededFuture();
    }

    /** Completes when everything until now is on disk, or was refused by it. */
    Future<Void> flush() {
        change();
        return writing;
    }
}
