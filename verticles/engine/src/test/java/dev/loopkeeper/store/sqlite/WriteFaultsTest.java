package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.event;
import static dev.loopkeeper.store.StoreSamples.withKey;
import static dev.loopkeeper.store.StoreSamples.withSnapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreSamples;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.store.sqlite.StoreProbe.Point;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Lets each write and each sync of a piece of work fail in turn, once and for good. What is found after the crash that
 * follows is a prefix of what was requested, with everything that was acknowledged.
 */
class WriteFaultsTest {
    private static final int RUNS = 2;

    @TempDir
    private Path folder;

    private final AtomicInteger untilFault = new AtomicInteger();
    private final Set<Point> failed = new ConcurrentSkipListSet<>();
    private boolean lasting;

    private final StoreProbe faulty = new StoreProbe() {
        @Override
        public void before(Point point) throws SQLException {
            int left = untilFault.getAndDecrement();
            if (left == 0 || (lasting && left < 0)) {
                failed.add(point);
                throw new SQLiteException("disk I/O error at " + point, SQLiteErrorCode.SQLITE_IOERR);
            }
        }
    };

    @Test
    void whatIsFoundIsAPrefixWithEverythingAcknowledged() throws IOException {
        Vertx vertx = Vertx.vertx();
        for (boolean forGood : new boolean[] {false, true}) {
            lasting = forGood;
            boolean reached = true;
            for (int step = 0; reached; step++) {
                Path data = Files.createDirectory(folder.resolve((forGood ? "lasting-" : "once-") + step));
                reached = failsAt(vertx, data, step);
            }
        }
        await(vertx.close());
        assertThat(failed).isEqualTo(new TreeSet<>(Set.of(Point.values())));
    }

    /** Answers whether the work had that many steps. */
    private boolean failsAt(Vertx vertx, Path data, int step) throws IOException {
        untilFault.set(Integer.MAX_VALUE);
        OpenStore store = await(SqliteEventStore.open(vertx, data, SqliteOptions.DEFAULTS, faulty));
        untilFault.set(step);
        Map<String, Long> asked = new HashMap<>();
        Map<String, Long> acknowledged = work(vertx, store, asked);
        boolean reached = untilFault.get() < 0;
        untilFault.set(Integer.MAX_VALUE);
        Path crashed = Files.createDirectory(data.resolve("crashed"));
        for (String name : new String[] {"events.db", "events.db-wal"}) {
            Files.copy(data.resolve(name), crashed.resolve(name));
        }
        await(store.close());
        for (Path found : new Path[] {data, crashed}) {
            OpenStore after = await(SqliteEventStore.open(vertx, found));
            asked.forEach((run, most) -> check(after, run, acknowledged.getOrDefault(run, 0L), most));
            await(after.close());
        }
        return reached;
    }

    /**
     * Appends of several runs, with snapshots, keys and receipts: first all as one batch, then each on its own. Which of them
     * share one must not go by how quick this thread is: it decides what the steps are.
     */
    private static Map<String, Long> work(Vertx vertx, EventStore store, Map<String, Long> asked) {
        Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        List<Supplier<Future<Boolean>>> first = writes(store, 0, acknowledged, asked);
        inOneTurn(vertx, first).forEach(StoreSamples::await);
        writes(store, 1, acknowledged, asked).forEach(write -> await(write.get()));
        return acknowledged;
    }

    private static List<Supplier<Future<Boolean>>> writes(
            EventStore store, int round, Map<String, Long> acknowledged, Map<String, Long> asked) {
        List<Supplier<Future<Boolean>>> writes = new ArrayList<>();
        for (int number = 0; number < RUNS; number++) {
            String run = "run-" + number;
            long last = acknowledged.getOrDefault(run, 0L);
            AppendEvents plain = append(run, last, 2);
            AppendEvents rich = number == 1 ? withSnapshot(plain, "{}") : plain;
            AppendEvents append = round == 0 ? withKey(rich, "key-" + number) : rich;
            asked.merge(run, last + 2, Math::max);
            writes.add(() -> succeeds(store.append(append).map(durable -> acknowledged.merge(run, 2L, Long::sum))));
            writes.add(() -> succeeds(store.addReceipt(run, "{}")));
        }
        return writes;
    }

    /** Then the store takes them as one batch. */
    private static List<Future<Boolean>> inOneTurn(Vertx vertx, List<Supplier<Future<Boolean>>> writes) {
        Promise<List<Future<Boolean>>> asked = Promise.promise();
        vertx.runOnContext(
                turn -> asked.complete(writes.stream().map(Supplier::get).toList()));
        return await(asked.future());
    }

    private static Future<Boolean> succeeds(Future<?> future) {
        return future.map(true).otherwise(false);
    }

    private static void check(EventStore store, String run, long acknowledged, long asked) {
        List<StoredEvent> found = await(store.events(run, 0, 1000)).stream()
                .map(PositionedEvent::event)
                .toList();
        assertThat((long) found.size()).as(run).isBetween(acknowledged, asked);
        assertThat(found)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, found.size())
                        .mapToObj(sequence -> event(run, sequence))
                        .toList());
        Optional<StoredRun> loaded = await(store.load(run));
        assertThat(loaded.isPresent()).isEqualTo(!found.isEmpty());
        assertThat(await(store.append(append(run, found.size(), 1)))).isNotNull();
    }
}
