package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.withStatus;

import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreSamples;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What durable events cost, as ratios of figures that were taken in turns: a noisy machine is noisy for both. Not part of
 * the build, since figures are no test: {@code mvn -Pbench test -Dtest=StoreBenchmark}, see {@code docs/benchmarks.md}.
 */
class StoreBenchmark {
    private static final int EVENT_BYTES = 300;
    private static final Duration STRETCH = Duration.ofMillis(Integer.getInteger("loopkeeper.bench.millis", 400));
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 7);
    private static final int MANY = 10_000;
    private static final int FEW = 100;

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong commits = new AtomicLong();
    private int stretch;

    private final StoreProbe counting = new StoreProbe() {
        @Override
        public void before(Point point) {
            if (point == Point.COMMIT) {
                commits.incrementAndGet();
            }
        }
    };

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private OpenStore open(String name) {
        return await(SqliteEventStore.open(vertx, folder.resolve(name), SqliteOptions.DEFAULTS, counting));
    }

    @Test
    void comparesDurableEventsWithBareSyncs() throws IOException {
        OpenStore store = open("");
        print("warm-up: %.0f events/s", rate(store, FEW));
        for (int writers : new int[] {1, 16, 64, 256}) {
            List<Double> rates = new ArrayList<>();
            List<Double> syncs = new ArrayList<>();
            List<Double> single = new ArrayList<>();
            double batch = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long before = commits.get();
                double events = rate(store, writers);
                batch = Math.max(1, events * STRETCH.toNanos() / 1e9 / (commits.get() - before));
                rates.add(events);
                syncs.add(events / bareSyncs((int) Math.round(batch)));
                single.add(events / bareSyncs(1));
            }
            print(
                    "%d writers: %.0f events/s, about %.0f per sync; %.2f times the bare append and sync of as many,"
                            + " %.1f times one sync per event",
                    writers, median(rates), batch, median(syncs), median(single));
        }
        await(store.close());
    }

    @Test
    void comparesManyRunsWithFew() throws IOException {
        OpenStore few = filled("few", FEW);
        OpenStore many = filled("many", MANY);
        print("warm-up: %.0f and %.0f events/s", rate(few, FEW), rate(many, FEW));
        List<Double> costs = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            double before = rate(few, FEW);
            costs.add((before + rate(few, FEW)) / 2 / rate(many, FEW));
        }
        print("an event beside %d runs costs %.2f times one beside %d", MANY, median(costs), FEW);
        await(few.close());
        await(many.close());
        List<Double> openings = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            OpenStore opened = open("many");
            openings.add((System.nanoTime() - begin) / 1e6);
            await(opened.close());
        }
        print("opening a store with %d ended runs: %.0f ms", MANY, median(openings));
    }

    private OpenStore filled(String name, int runs) throws IOException {
        OpenStore store =
                open(Files.createDirectories(folder.resolve(name)).getFileName().toString());
        for (int first = 0; first < runs; first += FEW) {
            List<Future<Appended>> appends = new ArrayList<>();
            for (int run = first; run < first + FEW; run++) {
                appends.add(store.append(withStatus(append("ended-" + run, 0, 20), "completed", StoreSamples.START)));
            }
            await(Future.all(appends));
        }
        return store;
    }

    /** New runs append one event after the other, all at once; events per second. */
    private double rate(EventStore store, int writers) {
        stretch++;
        long begin = System.nanoTime();
        long end = begin + STRETCH.toNanos();
        List<Future<Long>> all = IntStream.range(0, writers)
                .mapToObj(run -> {
                    Promise<Long> done = Promise.promise();
                    appendNext(store, "run-" + stretch + "-" + run, 0, end, done);
                    return done.future();
                })
                .toList();
        await(Future.all(all));
        long events = all.stream().mapToLong(Future::result).sum();
        return events * 1e9 / (System.nanoTime() - begin);
    }

    private static void appendNext(EventStore store, String runId, long sequence, long end, Promise<Long> done) {
        if (System.nanoTime() >= end) {
            done.complete(sequence);
            return;
        }
        store.append(append(runId, sequence, 1))
                .onSuccess(appended -> appendNext(store, runId, sequence + 1, end, done))
                .onFailure(done::fail);
    }

    private double bareSyncs(int batch) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(EVENT_BYTES * batch);
        long syncs = 0;
        long begin = System.nanoTime();
        try (FileChannel file =
                FileChannel.open(folder.resolve("bare"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (; System.nanoTime() - begin < STRETCH.toNanos(); syncs++) {
                file.write(bytes.rewind());
                file.force(false);
            }
        }
        return syncs * batch * 1e9 / (System.nanoTime() - begin);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void print(String format, Object... values) {
        System.out.println("BENCH " + String.format(Locale.ROOT, format, values));
    }
}
