package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Enough appends wait for two statements, which are under way at once on one connection. */
class ParallelAppendsTest {
    private static final int MANY = 64;

    /** One loop, so that what is asked in one turn of it waits together. */
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    private final TestDatabase database = TestDatabase.fresh();
    private DatabaseProxy proxy;
    private OpenStore store;

    @BeforeEach
    void open() {
        proxy = await(DatabaseProxy.before(vertx, TestDatabase.port()));
        String url = "postgresql://postgres@127.0.0.1:" + proxy.port() + "/" + database.name();
        store = await(TestDatabase.open(vertx, new PostgresOptions(url, Optional.empty(), Duration.ofSeconds(8))));
    }

    @AfterEach
    void close() {
        proxy.up();
        await(store.close());
        await(vertx.close());
    }

    /** Requests all of them in one turn; completes when all are answered, in whatever way. */
    private List<Future<Appended>> inOneTurn(List<AppendEvents> appends, List<Long> positionsAsAnswered) {
        Promise<List<Future<Appended>>> answered = Promise.promise();
        vertx.runOnContext(now -> {
            List<Future<Appended>> answers = appends.stream()
                    .map(append ->
                            store.append(append).onSuccess(durable -> positionsAsAnswered.add(durable.lastPosition())))
                    .toList();
            Future.join(answers).onComplete(over -> answered.complete(answers));
        });
        return await(answered.future());
    }

    private List<Future<Appended>> inOneTurn(List<AppendEvents> appends) {
        return inOneTurn(appends, new ArrayList<>());
    }

    private static List<AppendEvents> creations() {
        return IntStream.range(0, MANY).mapToObj(run -> created("run-" + run)).toList();
    }

    @Test
    void manyAreTwoTransactions() {
        assertThat(inOneTurn(creations())).allMatch(Future::succeeded);

        assertThat(database.ask("SELECT count(DISTINCT xmin::text) FROM events"))
                .containsExactly("2");
        assertNoHoles(MANY);
    }

    /** The second is sent before the first is answered, so it is unknown what became of either; each is there once. */
    @Test
    void bothMayBeDurableWithoutAnAnswer() {
        // The connection knows the statement from now on.
        await(store.append(created("first")));
        proxy.blackHole();
        assertThat(inOneTurn(creations())).allMatch(answer -> answer.cause() instanceof StoreUnavailableException);
        proxy.up();

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> await(store.ready().map(true).otherwise(false)));
        assertNoHoles(MANY + 1);
        assertThat(failure(store.append(created("run-0")))).isInstanceOf(StaleAppendException.class);
        assertThat(failure(store.append(created("run-" + (MANY - 1))))).isInstanceOf(StaleAppendException.class);
    }

    /** What publishes events relies on it. Why some were refused is asked behind the second statement. */
    @Test
    void whatIsDurableIsAnsweredInTheOrderOfPositions() {
        List<AppendEvents> appends = IntStream.range(0, MANY)
                .mapToObj(run -> run % 3 == 0 ? append("run-" + run, 7, 1) : append("run-" + run, 0, 2))
                .toList();
        List<Long> positions = Collections.synchronizedList(new ArrayList<>());

        List<Future<Appended>> answers = inOneTurn(appends, positions);

        int refused = (MANY + 2) / 3;
        assertThat(answers.stream().filter(Future::failed).map(Future::cause))
                .hasSize(refused)
                .allMatch(StaleAppendException.class::isInstance);
        assertThat(positions).isSorted().hasSize(MANY - refused);
        assertNoHoles(2 * (MANY - refused));
    }

    /** Both at once could swap places where the first has to be tried again. */
    @Test
    void appendsOfOneRunAreNotUnderWayTogether() {
        List<AppendEvents> appends = Stream.of(
                        creations().stream(),
                        Stream.of(append("run-0", 1, 1), append("run-0", 2, 1)),
                        IntStream.range(MANY, 2 * MANY).mapToObj(run -> created("run-" + run)))
                .flatMap(part -> part)
                .toList();

        assertThat(inOneTurn(appends)).allMatch(Future::succeeded);

        assertThat(await(store.events("run-0", 0, 10)))
                .extracting(event -> event.event().sequence())
                .containsExactly(1L, 2L, 3L);
        assertNoHoles(2 * MANY + 2);
    }

    /** A statement that the server refuses as a whole is tried again one append at a time, beside the other one. */
    @Test
    void oneFailedStatementFailsNoOther() {
        List<AppendEvents> appends = new ArrayList<>(creations());
        database.execute("ALTER TABLE runs ADD CONSTRAINT nobody CHECK (run_id <> 'run-5' AND run_id <> 'run-60')");

        List<Future<Appended>> answers = inOneTurn(appends);

        assertThat(IntStream.range(0, MANY).filter(run -> answers.get(run).failed()))
                .containsExactly(5, 60);
        assertNoHoles(MANY - 2);
    }

    private void assertNoHoles(int events) {
        assertThat(await(store.eventsAfter(0, 1_000)))
                .extracting(PositionedEvent::position)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events).boxed().toList());
    }
}
