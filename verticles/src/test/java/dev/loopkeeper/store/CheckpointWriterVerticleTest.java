package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.event;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.bus.EventChannel;
import dev.loopkeeper.bus.RecordCodec;
import dev.loopkeeper.bus.RequestChannel;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.store.sqlite.SqliteOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointWriterVerticleTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private Vertx vertx;
    private EventStore store;

    @BeforeEach
    void deploy() {
        vertx = Vertx.vertx();
        store = await(SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS));
        await(vertx.deployVerticle(new CheckpointWriterVerticle(store)));
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void publishesEveryEventInTheOrderOfPositions() {
        List<PositionedEvent> heard = new CopyOnWriteArrayList<>();
        List<PositionedEvent> creations = new CopyOnWriteArrayList<>();
        hear(StoreChannels.EVENTS, heard::add);
        hear(StoreChannels.eventsOf("run.created"), creations::add);

        await(Future.all(IntStream.range(0, 100)
                .mapToObj(run -> ask(StoreChannels.APPEND, append("run-" + run, 0, 2)))
                .toList()));

        Awaitility.await().until(() -> heard.size() == 200 && creations.size() == 100);
        assertThat(heard).isEqualTo(await(store.eventsAfter(0, 1000)));
    }

    @Test
    void answersBeforeItPublishes() {
        List<String> order = new CopyOnWriteArrayList<>();
        hear(StoreChannels.EVENTS, fact -> order.add("heard"));
        vertx.getOrCreateContext()
                .runOnContext(now ->
                        ask(StoreChannels.APPEND, created("run-1")).onSuccess(appended -> order.add("answered")));

        Awaitility.await().until(() -> order.size() == 2);
        assertThat(order).containsExactly("answered", "heard");
    }

    @Test
    void keepsTheReasonOfARefusalRecognisable() {
        await(ask(StoreChannels.APPEND, created("run-1")));
        AppendEvents keyed = StoreSamples.withKey(append("run-1", 1, 1), "key");
        await(ask(StoreChannels.APPEND, keyed));

        assertThat(code(ask(StoreChannels.APPEND, created("run-1")))).isEqualTo(StaleAppendException.CODE);
        assertThat(code(ask(StoreChannels.APPEND, StoreSamples.withKey(created("run-2"), "key"))))
                .isEqualTo(KeyTakenException.CODE);
        await(store.close());
        assertThat(code(ask(StoreChannels.APPEND, created("run-3")))).isEqualTo(StoreException.CODE);
    }

    @Test
    void answersQuestionsAboutRuns() {
        await(ask(StoreChannels.APPEND, StoreSamples.withKey(append("run-1", 0, 3), "key")));
        await(ask(StoreChannels.ADD_RECEIPT, new StoreQuestions.AddReceipt("run-1", "{}")));

        assertThat(await(ask(StoreChannels.READ_EVENTS, new StoreQuestions.EventsOf("run-1", 1, 1)))
                        .events())
                .extracting(PositionedEvent::event)
                .containsExactly(event("run-1", 2));
        assertThat(await(ask(StoreChannels.READ_FEED, new StoreQuestions.EventsAfter(0, 2)))
                        .events())
                .hasSize(2);
        assertThat(await(ask(StoreChannels.LAST_POSITION, new StoreQuestions.LastPosition()))
                        .position())
                .isEqualTo(3);
        assertThat(await(ask(StoreChannels.FIND, new StoreQuestions.FindRun("run-1")))
                        .row())
                .isPresent();
        assertThat(await(ask(StoreChannels.LOAD, new StoreQuestions.LoadRun("run-1")))
                        .run())
                .isPresent();
        assertThat(await(ask(StoreChannels.LIST, new RunQuery(Set.of(), 10, Optional.empty())))
                        .runs())
                .hasSize(1);
        assertThat(await(ask(StoreChannels.RUN_OF_KEY, new StoreQuestions.RunOfKey("key")))
                        .runId())
                .contains("run-1");
        assertThat(await(ask(StoreChannels.RECEIPTS, new StoreQuestions.ReceiptsOf("run-1")))
                        .receipts())
                .containsExactly("{}");
    }

    @Test
    void messagesSurviveTheWireBetweenNodes() {
        RecordCodec codec = new RecordCodec();
        PositionedEvent fact = new PositionedEvent(7, event("run-1", 3));
        List<Object> messages = List.of(
                StoreSamples.withKey(append("run-1", 0, 2), "key"),
                new Appended(2),
                fact,
                new StoreAnswers.Events(List.of(fact)),
                new StoreQuestions.LastPosition(),
                new StoreAnswers.Kept(),
                new RunsRemoved(List.of("run-1")),
                new PrunedRuns(true, List.of(new PrunedRuns.PrunedRun("run-1", "x", "failed", ""))),
                new StoreAnswers.Run(Optional.empty()),
                new RunQuery(Set.of("paused"), 5, Optional.empty()));
        for (Object message : messages) {
            Buffer wire = Buffer.buffer();
            codec.encodeToWire(wire, message);
            assertThat(codec.decodeFromWire(0, wire)).isEqualTo(message);
        }
    }

    private <E> void hear(EventChannel<E> channel, Consumer<E> ear) {
        await(channel.listen(vertx.eventBus(), ear).completion());
    }

    private <Q, A> Future<A> ask(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(vertx.eventBus(), question, SOON);
    }

    private static int code(Future<?> refused) {
        return ((ReplyException) failure(refused)).failureCode();
    }
}
