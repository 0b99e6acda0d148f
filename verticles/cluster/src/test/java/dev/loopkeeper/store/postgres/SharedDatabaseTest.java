package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withEpoch;
import static dev.loopkeeper.store.StoreSamples.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.KeyTakenException;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several have one database open, as nodes do. */
class SharedDatabaseTest {
    private static final int APPENDS = 50;
    /** Fewer than are divided among two statements. */
    private static final int FEW = 30;

    private final Vertx vertx = Vertx.vertx();
    private final TestDatabase database = TestDatabase.fresh();
    private OpenStore first;
    private OpenStore second;

    @BeforeEach
    void open() {
        // Both find it empty and make its tables.
        Future<OpenStore> one = TestDatabase.open(vertx, database.options());
        Future<OpenStore> other = TestDatabase.open(vertx, database.options());
        first = await(one);
        second = await(other);
    }

    @AfterEach
    void close() {
        await(first.close());
        await(second.close());
        await(vertx.close());
    }

    @Test
    void testsRunOnADatabaseThatIsAsDurableAsInEarnest() {
        assertThat(database.ask("SELECT current_setting('fsync') || current_setting('synchronous_commit')"))
                .containsExactly("onon");
        assertThat(database.ask("SELECT 'a' < 'B'"))
                .as("a locale that is not that of bytes")
                .containsExactly("t");
    }

    @Test
    void whatTwoOpenAtOnceIsMadeOnce() {
        assertThat(database.ask("SELECT number FROM migrations")).hasSize(PgFormat.STEPS.size());
    }

    /** Plans are kept, and a table of which next to nothing is known is read whole by them, however it grows. */
    @Test
    void anAppendReadsNoRunsButItsOwn() {
        await(first.append(created("run-1")));
        await(first.append(created("run-2")));
        database.execute("ANALYZE runs");
        long before = scans("seq_scan");
        long looks = before + scans("idx_scan");

        for (int sequence = 1; sequence <= APPENDS; sequence++) {
            await(first.append(append("run-1", sequence, 1)));
        }

        Awaitility.await().until(() -> {
            // A session reports its counts with a later statement.
            await(first.ready());
            return scans("seq_scan") + scans("idx_scan") - looks >= APPENDS;
        });
        // Some are of what made the tables.
        assertThat(scans("seq_scan") - before)
                .as("times that all runs were read")
                .isLessThan(APPENDS);
    }

    private long scans(String kind) {
        return Long.parseLong(database.ask("SELECT " + kind + " FROM pg_stat_user_tables WHERE relname = 'runs'")
                .get(0));
    }

    /** Else the first of those that an append has answered would go alone, and all others after it. */
    @Test
    void whatIsAskedInOneTurnIsOneTransaction() {
        Vertx oneLoop = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        OpenStore store = await(TestDatabase.open(oneLoop, database.options()));

        Promise<Void> answered = Promise.promise();
        oneLoop.runOnContext(now -> Future.all(IntStream.range(0, FEW)
                        .mapToObj(run -> store.append(created("run-" + run)))
                        .toList())
                .<Void>mapEmpty()
                .onComplete(answered));
        await(answered.future());

        assertThat(database.ask("SELECT count(DISTINCT xmin::text) FROM events"))
                .containsExactly("1");
        assertThat(database.ask("SELECT count(*) FROM events")).containsExactly(Integer.toString(FEW));
        await(store.close());
        await(oneLoop.close());
    }

    @Test
    void anAppendBehindTheOthersIsRefused() {
        await(first.append(append("run-1", 0, 2)));
        await(second.append(append("run-1", 2, 1)));

        assertThat(failure(first.append(append("run-1", 2, 1))))
                .isInstanceOf(StaleAppendException.class)
                .hasMessageContaining("is at sequence 3");
        assertThat(await(first.events("run-1", 0, 10))).hasSize(3);
    }

    @Test
    void anOwnerThatWasFencedIsRefusedEvenWhereItKnowsTheSequence() {
        await(first.append(withEpoch(created("run-1"), 1)));
        await(second.append(withEpoch(append("run-1", 1, 1), 2)));

        assertThat(failure(first.append(withEpoch(append("run-1", 2, 1), 1))))
                .isInstanceOf(StaleAppendException.class)
                .hasMessageContaining("epoch 2");
    }

    /** One statement of each: the row's newest version counts, not the one that the statement began with. */
    @Test
    void oneOfTwoConcurrentAppendsWins() {
        for (int round = 0; round < 30; round++) {
            String runId = "run-" + round;
            List<AppendEvents> rivals = List.of(created(runId), withKey(created(runId), "key-" + round));
            List<Future<Appended>> answers = List.of(first.append(rivals.get(0)), second.append(rivals.get(1)));
            assertThat(succeeded(answers)).isEqualTo(1);
            answers = List.of(first.append(append(runId, 1, 2)), second.append(append(runId, 1, 1)));
            assertThat(succeeded(answers)).isEqualTo(1);
        }
        assertNoHoles();
    }

    @Test
    void anIdempotencyKeyMakesOneRun() {
        for (int round = 0; round < 30; round++) {
            String key = "key-" + round;
            Future<Appended> one = first.append(withKey(created("a-" + round), key));
            Future<Appended> other = second.append(withKey(created("b-" + round), key));
            assertThat(succeeded(List.of(one, other))).isEqualTo(1);
            assertThat(failure(first.append(withKey(created("c-" + round), key))))
                    .isInstanceOf(KeyTakenException.class);
        }
        assertThat(database.ask("SELECT run_id FROM runs")).hasSize(30);
        assertNoHoles();
    }

    private static long succeeded(List<Future<Appended>> answers) {
        return answers.stream()
                .filter(answer -> await(answer.map(true).otherwise(false)))
                .count();
    }

    @Test
    void aBatchOfGoodStaleAndFencedAppendsOfBothLeavesNoHoles() {
        for (int run = 0; run < 10; run++) {
            await(first.append(withEpoch(created("run-" + run), 2)));
        }
        List<Future<Appended>> answers = new ArrayList<>();
        for (int run = 0; run < 10; run++) {
            OpenStore store = run % 2 == 0 ? first : second;
            answers.add(store.append(withEpoch(append("run-" + run, 1, 3), run % 3 == 0 ? 1 : 2)));
            answers.add(store.append(withEpoch(append("run-" + run, 7, 3), 2)));
            answers.add(store.append(withKey(created("new-" + run), "key")));
        }
        assertThat(succeeded(answers)).as("6 of an owner, 1 of a key").isEqualTo(7);
        assertNoHoles();
    }

    @Test
    void aFollowerOfAnotherNodesFeedMissesNothing() {
        int runs = 8;
        int rounds = 25;
        List<Future<Void>> writing = IntStream.range(0, runs)
                .mapToObj(run -> write(run % 2 == 0 ? first : second, "run-" + run, 0, rounds))
                .toList();
        List<PositionedEvent> seen = new ArrayList<>();
        boolean more = true;
        while (more) {
            boolean written = Future.all(writing).isComplete();
            long last = seen.isEmpty() ? 0 : seen.get(seen.size() - 1).position();
            List<PositionedEvent> page = await(second.eventsAfter(last, 9));
            seen.addAll(page);
            more = !written || !page.isEmpty();
        }
        await(Future.all(writing));

        assertThat(seen)
                .extracting(PositionedEvent::position)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, (long) runs * rounds).boxed().toList());
    }

    private static Future<Void> write(OpenStore store, String runId, int written, int rounds) {
        return written == rounds
                ? Future.succeededFuture()
                : store.append(append(runId, written, 1)).compose(next -> write(store, runId, written + 1, rounds));
    }

    private void assertNoHoles() {
        List<Long> positions = await(first.eventsAfter(0, 1000)).stream()
                .map(PositionedEvent::position)
                .toList();
        assertThat(positions)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, positions.size()).boxed().toList());
        assertThat(await(first.lastPosition())).isEqualTo(positions.size());
    }

    @Test
    void aNewerFormatIsRefusedAndLeftAsItIs() {
        database.execute("INSERT INTO migrations (number, checksum) VALUES (" + (PgFormat.STEPS.size() + 1) + ", 1)");

        assertThat(failure(TestDatabase.open(vertx, database.options())))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("has format " + (PgFormat.STEPS.size() + 1), "nothing was changed");
    }

    @Test
    void aFormatWithAnotherHistoryIsRefused() {
        database.execute("UPDATE migrations SET checksum = checksum + 1");

        assertThat(failure(TestDatabase.open(vertx, database.options())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was written by a development version before 0.1.0");
    }

    @Test
    void stepsOfANewerVersionAreAppliedOnceAllOrNone() {
        await(first.append(created("run-1")));
        List<String> broken = with("CREATE TABLE later (x text)", "CREATE TABLE later (x text)");
        assertThat(failure(PostgresEventStore.open(vertx, database.options(), new PgFormat(broken, Optional.empty()))))
                .isInstanceOf(StoreException.class);
        assertThat(database.ask("SELECT number FROM migrations")).hasSize(PgFormat.STEPS.size());

        List<String> newer = with("CREATE TABLE later (x text)", "INSERT INTO later SELECT run_id FROM runs");
        List<Future<OpenStore>> both = List.of(
                PostgresEventStore.open(vertx, database.options(), new PgFormat(newer, Optional.empty())),
                PostgresEventStore.open(vertx, database.options(), new PgFormat(newer, Optional.empty())));
        both.forEach(opened -> await(await(opened).close()));

        assertThat(database.ask("SELECT x FROM later")).containsExactly("run-1");
    }

    private static List<String> with(String... steps) {
        List<String> all = new ArrayList<>(PgFormat.STEPS);
        all.addAll(List.of(steps));
        return all;
    }

    @Test
    void damageIsReportedAndNeverOverwritten() {
        await(first.append(append("run-1", 0, 3)));
        await(first.append(append("run-2", 0, 1)));
        database.execute("UPDATE events SET data = '{}' WHERE run_id = 'run-1' AND sequence = 2");

        assertThat(failure(second.load("run-1")))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("event 2 of run run-1 is damaged");
        assertThat(await(second.eventsAfter(0, 10)))
                .as("without the damaged one")
                .hasSize(3);
        assertThat(await(second.load("run-2"))).isPresent();
        database.execute("UPDATE runs SET status = 'completed' WHERE run_id = 'run-2'");
        assertThat(failure(second.find("run-2"))).hasMessageContaining("the row of run run-2 is damaged");
        assertThat(database.ask("SELECT data FROM events WHERE run_id = 'run-1' AND sequence = 2"))
                .containsExactly("{}");
    }

    /** Two would execute the same runs. */
    @Test
    void theDatabaseOfOneDataFolderIsRefusedToAnother(@TempDir Path mine, @TempDir Path other) {
        await(await(PostgresEventStore.open(vertx, database.options(), mine)).close());

        assertThat(failure(PostgresEventStore.open(vertx, database.options(), other)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("is the store of another data folder");
        assertThat(await(PostgresEventStore.open(vertx, database.options(), mine)
                        .compose(OpenStore::close)
                        .map(true)))
                .isTrue();
    }

    @Test
    void aDatabaseThatIsNotThereIsRefusedClearly() {
        PostgresOptions unknown = PostgresOptions.of(
                "postgresql://postgres@127.0.0.1:" + TestDatabase.port() + "/" + database.name() + "x");
        PostgresOptions unreachable = PostgresOptions.of("postgresql://postgres@127.0.0.1:1/none");

        assertThat(failure(TestDatabase.open(vertx, unknown)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("does not exist");
        assertThat(failure(TestDatabase.open(vertx, unreachable)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("127.0.0.1:1/none does not answer");
    }
}
