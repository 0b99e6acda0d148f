package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/** Realistic appends, and waiting for their answers. */
public final class StoreSamples {
    public static final Instant START = Instant.parse("2026-11-20T15:12:33.120Z");
    private static final long PATIENCE_SECONDS = 60;

    private StoreSamples() {}

    /** The first event of a new run. */
    public static AppendEvents created(String runId) {
        return append(runId, 0, 1);
    }

    /** {@code count} events that follow on {@code expected}. */
    public static AppendEvents append(String runId, long expected, int count) {
        List<StoredEvent> events = LongStream.rangeClosed(expected + 1, expected + count)
                .mapToObj(sequence -> event(runId, sequence))
                .toList();
        return new AppendEvents(
                runId, expected, 1, events, row(runId, "running", START), Optional.empty(), Optional.empty());
    }

    public static StoredEvent event(String runId, long sequence) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("stepId", "build." + sequence + ".dev.1")
                .put("note", "größer ☂ \"quoted\"")
                .putNull("exitCode");
        String type = sequence == 1 ? "run.created" : "step.finished";
        return new StoredEvent(runId, sequence, START.plusMillis(sequence), type, 1, data);
    }

    public static RunRow row(String runId, String status, Instant createdAt) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("runId", runId).put("status", status);
        return new RunRow(runId, "fix-flaky-tests", status, createdAt, view);
    }

    public static AppendEvents withStatus(AppendEvents append, String status, Instant createdAt) {
        RunRow row = row(append.runId(), status, createdAt);
        return new AppendEvents(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                append.events(),
                row,
                append.snapshot(),
                append.idempotencyKey());
    }

    public static AppendEvents withEpoch(AppendEvents append, long epoch) {
        return new AppendEvents(
                append.runId(),
                append.expectedSequence(),
                epoch,
                append.events(),
                append.row(),
                append.snapshot(),
                append.idempotencyKey());
    }

    public static AppendEvents withSnapshot(AppendEvents append, String snapshot) {
        return new AppendEvents(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                append.events(),
                append.row(),
                Optional.of(snapshot),
                append.idempotencyKey());
    }

    public static AppendEvents withKey(AppendEvents append, String key) {
        return new AppendEvents(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                append.events(),
                append.row(),
                append.snapshot(),
                Optional.of(key));
    }

    /** The answer, or the failure as it is. */
    @CanIgnoreReturnValue
    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(failed.getCause());
        } catch (InterruptedException | TimeoutException late) {
            throw new AssertionError("no answer within " + Duration.ofSeconds(PATIENCE_SECONDS), late);
        }
    }

    /** The failure; an error when there is an answer. */
    public static Throwable failure(Future<?> future) {
        try {
            Object answer = await(future);
            throw new AssertionError("succeeded with " + answer);
        } catch (RuntimeException expected) {
            return expected;
        }
    }
}
