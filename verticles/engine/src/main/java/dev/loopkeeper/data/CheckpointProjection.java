package dev.loopkeeper.data;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a run's {@link CheckpointFile} is replaced: at once if urgent, otherwise an interval after the change, or
 * several for a large file, with the latest content. Changes in quick succession are written once, and their syncs do not
 * delay writes that a client waits for. A failed write is logged and tried again after the interval. All methods run on
 * one context; their futures never fail, since a projection must not harm its run.
 */
public final class CheckpointProjection {
    /** Time before the first write and between two writes, unless urgent. */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    /** A larger file is written less often, so that a run of thousands of items does not write megabytes each second. */
    private static final int BYTES_PER_INTERVAL = 256 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointProjection.class);

    private final Vertx vertx;
    private final CheckpointFile file;
    private final Duration interval;
    private final Map<String, PendingWrite> pendingWrites = new HashMap<>();
    private boolean held;

    /** Projects into this file, which stays open. */
    public CheckpointProjection(Vertx vertx, CheckpointFile file, Duration interval) {
        this.vertx = vertx;
        this.file = file;
        this.interval = interval;
    }

    /**
     * The run has changed. {@code json} is called on a worker just before the write, so content that is replaced before it
     * is written is never built. If urgent, completes when the file is written; otherwise at once.
     */
    public Future<Void> update(String runId, Supplier<String> json, boolean urgent) {
        PendingWrite write = pendingWrites.computeIfAbsent(runId, PendingWrite::new);
        write.pending = json;
        if (held) {
            return Future.succeededFuture();
        }
        if (urgent) {
            return write.writeOut();
        }
        if (!write.resting) {
            write.rest();
        }
        return Future.succeededFuture();
    }

    /** Holds back all writes, because a start with many runs needs the disk. */
    public void hold() {
        held = true;
    }

    /** Writes what is pending since {@link #hold}, and ends the hold. */
    public void release() {
        held = false;
        List.copyOf(pendingWrites.values()).forEach(PendingWrite::writeWhenIdle);
    }

    /** Writes what waits for this run, and completes when it is tried. */
    public Future<Void> flush(String runId) {
        PendingWrite write = pendingWrites.get(runId);
        return write == null ? Future.succeededFuture() : write.writeOut();
    }

    /** The same for every run; for an orderly close. */
    public Future<Void> flushAll() {
        List<Future<Void>> writes =
                List.copyOf(pendingWrites.keySet()).stream().map(this::flush).toList();
        return Future.join(writes).mapEmpty();
    }

    /** Returns the pause after a write of this length. */
    static Duration rest(Duration interval, int length) {
        return interval.multipliedBy(1 + length / BYTES_PER_INTERVAL);
    }

    /** The run is removed: what waits for it is dropped. */
    public void forget(String runId) {
        PendingWrite write = pendingWrites.remove(runId);
        if (write != null) {
            write.pending = null;
        }
    }

    /** One run's file: at most one write under way, and a rest before and after each that is not urgent. */
    private final class PendingWrite {
        private final String runId;
        private Supplier<String> pending;
        private Future<Void> writing = Future.succeededFuture();
        private boolean resting;
        private boolean failing;
        /** The length of the last written content; set by a worker. */
        private volatile int length;

        private PendingWrite(String runId) {
            this.runId = runId;
        }

        private Future<Void> writeOut() {
            if (!writing.isComplete()) {
                return writing.compose(done -> writeOut());
            }
            writeWhenIdle();
            return writing;
        }

        private void writeWhenIdle() {
            if (!writing.isComplete() || pending == null) {
                return;
            }
            Supplier<String> content = pending;
            pending = null;
            writing = write(content);
            if (!resting) {
                rest();
            }
        }

        private Future<Void> write(Supplier<String> content) {
            return file.write(runId, () -> measured(content.get()))
                    .onSuccess(done -> failing = false)
                    .recover(refused -> keep(content, refused));
        }

        private String measured(String content) {
            length = content.length();
            return content;
        }

        private Future<Void> keep(Supplier<String> content, Throwable refused) {
            if (!failing) {
                LOG.error("checkpoint.json of run {} could not be written, retrying: {}", runId, refused.getMessage());
            }
            failing = true;
            if (pending == null && pendingWrites.get(runId) == this) {
                pending = content;
            }
            return Future.succeededFuture();
        }

        private void rest() {
            resting = true;
            vertx.timer(CheckpointProjection.rest(interval, length).toMillis()).onSuccess(over -> {
                resting = false;
                wake();
            });
        }

        private void wake() {
            if (!writing.isComplete()) {
                rest();
            } else if (pending != null) {
                writeWhenIdle();
            } else {
                pendingWrites.remove(runId, this);
            }
        }
    }
}
