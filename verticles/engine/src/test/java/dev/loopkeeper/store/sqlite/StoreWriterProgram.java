package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.withSnapshot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.slf4j.LoggerFactory;

/**
 * A process that owns a data folder and appends to many runs until it is killed. Prints {@code owning},
 * {@code open}, then {@code run-3 17} for each run's last sequence that was acknowledged. Ends on its own with its standard input.
 */
final class StoreWriterProgram {
    private static final int MOST_APPENDS = 5_000;

    private final EventStore store;
    private final Random random;

    private StoreWriterProgram(EventStore store, long seed) {
        this.store = store;
        this.random = new Random(seed);
    }

    /** Arguments: the data folder, how many runs, the seed. */
    public static void main(String[] arguments) throws IOException {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        DataFolder folder =
                DataFolder.resolve(Optional.of(arguments[0]), System.getenv()).prepare();
        OwnerLock lock = folder.own();
        print("owning");
        int runs = Integer.parseInt(arguments[1]);
        Vertx vertx = Vertx.vertx();
        SqliteEventStore.open(vertx, folder.path())
                .onSuccess(store -> new StoreWriterProgram(store, Long.parseLong(arguments[2])).begin(runs))
                .onFailure(refused -> print("refused: " + refused.getMessage()));
        System.in.transferTo(OutputStream.nullOutputStream());
        lock.close();
        Runtime.getRuntime().halt(0);
    }

    private void begin(int runs) {
        print("open");
        for (int run = 0; run < runs; run++) {
            String runId = "run-" + run;
            store.load(runId)
                    .map(found -> found.map(StoreWriterProgram::lastSequence).orElse(0L))
                    .compose(sequence -> appendNext(runId, sequence, MOST_APPENDS))
                    .onFailure(refused -> print("refused: " + refused));
        }
    }

    private Future<Void> appendNext(String runId, long sequence, int left) {
        if (left == 0) {
            return Future.succeededFuture();
        }
        int count = 1 + random.nextInt(3);
        AppendEvents append = append(runId, sequence, count);
        AppendEvents asked = random.nextInt(10) == 0 ? withSnapshot(append, "{}") : append;
        return store.append(asked)
                .onSuccess(appended -> print(runId + " " + (sequence + count)))
                .compose(appended -> appendNext(runId, sequence + count, left - 1));
    }

    private static long lastSequence(StoredRun run) {
        return run.snapshotSequence() + run.events().size();
    }

    /** One write per line, so that a kill leaves at most the last one incomplete. */
    private static void print(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (System.out) {
            System.out.write(bytes, 0, bytes.length);
            System.out.flush();
        }
    }
}
