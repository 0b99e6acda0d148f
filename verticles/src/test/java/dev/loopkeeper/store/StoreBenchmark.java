package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.withStatus;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Durable events per second against a bare append and force of as many bytes. Not part of the build, since figures are
 * no test: {@code mvn -Pbench test}.
 */
class StoreBenchmark {
    private static final int EVENT_BYTES = 300;
    private static final Duration STRETCH = Duration.ofSeconds(2);
    private static final int OPEN_RUNS = 1_000;
    private static final int ENDED_RUNS = 10_000;

    @TempDir
    private Path folder;

    @Test
    void countsDurableEventsPerSecond() throws IOException {
        Vertx vertx = Vertx.vertx();
        EventStore store = await(SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS));
        print("warm-up: %.0f events/s", rate(store, "warm-up", 64));
        for (int runs : new int[] {1, 16, 64, 256}) {
            double events = rate(store, "run-" + runs + "-", runs);
            double bare = bareSyncs(runs);
            double single = bareSyncs(1);
            print(
                    "%d runs: %.0f events/s; bare append and force, %d at once: %.0f/s, ratio %.2f; one by one: ratio %.1f",
                    runs, events, runs, bare, events / bare, events / single);
        }
        await(store.close());
        await(vertx.close());
    }

    @Test
    void comparesManyRunsWithFew() {
        Vertx vertx = Vertx.vertx();
        EventStore store = await(SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS));
        print("warm-up: %.0f events/s", rate(store, "warm-up", 100));
        double few = rate(store, "few-", 100);
        create(store, ENDED_RUNS - OPEN_RUNS, "completed");
        create(store, OPEN_RUNS, "running");
        double many = rate(store, "many-", 100);
        print("cost per event with %d runs in the store: %.2f times that with 200", ENDED_RUNS, few / many);
        await(store.close());

        long begin = System.nanoTime();
        store = await(SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS));
        print("opening it: %d ms", millisSince(begin));
        long loading = System.nanoTime();
        EventStore opened = store;
        await(Future.all(IntStream.range(0, OPEN_RUNS)
                .mapToObj(run -> opened.load("running-" + run))
                .toList()));
        print("loading %d runs: %d ms", OPEN_RUNS, millisSince(loading));
        await(store.close());
        await(vertx.close());
    }

    private static void create(EventStore store, int count, String status) {
        List<Future<Appended>> appends = new ArrayList<>();
        for (int run = 0; run < count; run++) {
            appends.add(store.append(withStatus(append(status + "-" + run, 0, 20), status, StoreSamples.START)));
        }
        await(Future.all(appends));
    }

    /** Every run appends one event after the other, all runs at once. */
    private static double rate(EventStore store, String prefix, int runs) {
        long begin = System.nanoTime();
        long end = begin + STRETCH.toNanos();
        List<Future<Long>> all = IntStream.range(0, runs)
                .mapToObj(run -> {
                    Promise<Long> done = Promise.promise();
                    goOn(store, prefix + run, 0, end, done);
                    return done.future();
                })
                .toList();
        await(Future.all(all));
        long events = all.stream().mapToLong(Future::result).sum();
        return events * 1e9 / (System.nanoTime() - begin);
    }

    private static void goOn(EventStore store, String runId, long sequence, long end, Promise<Long> done) {
        if (System.nanoTime() >= end) {
            done.complete(sequence);
            return;
        }
        store.append(append(runId, sequence, 1))
                .onSuccess(appended -> goOn(store, runId, sequence + 1, end, done))
                .onFailure(done::fail);
    }

    private double bareSyncs(int batch) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(EVENT_BYTES * batch);
        long syncs = 0;
        long begin = System.nanoTime();
        try (FileChannel file = FileChannel.open(
                folder.resolve("bare-" + batch), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (; System.nanoTime() - begin < STRETCH.toNanos(); syncs++) {
                file.write(bytes.rewind());
                file.force(false);
            }
        }
        return syncs * batch * 1e9 / (System.nanoTime() - begin);
    }

    private static long millisSince(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private static void print(String format, Object... values) {
        System.out.println("BENCH " + String.format(Locale.ROOT, format, values));
    }
}
