package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every node notifies its listeners of what all nodes append. */
class SharedFeedTest {
    private final TestDatabase database = TestDatabase.fresh();
    private final List<Node> nodes = new ArrayList<>();

    /** A store with its own event bus, and what was received there. */
    private record Node(Vertx vertx, OpenStore store, CheckpointWriter bus, List<PositionedEvent> received) {}

    private Node node() {
        Vertx vertx = Vertx.vertx();
        OpenStore store = await(TestDatabase.open(vertx, database.options()));
        Node node = new Node(vertx, store, new CheckpointWriter(vertx.eventBus()), new CopyOnWriteArrayList<>());
        nodes.add(node);
        await(StoreChannels.EVENTS
                .listen(vertx.eventBus(), node.received()::add)
                .completion());
        await(vertx.deployVerticle(new EventStoreVerticle(store)));
        return node;
    }

    @AfterEach
    void close() {
        for (Node node : nodes) {
            await(node.store().close());
            await(node.vertx().close());
        }
    }

    @Test
    void receivesEventsOfAnotherNode() {
        Node writer = node();
        Node reader = node();

        await(writer.bus().append(created("run-1")));
        await(reader.bus().append(append("run-1", 1, 2)));

        Awaitility.await()
                .until(() -> reader.received().size() == 3 && writer.received().size() == 3);
        assertThat(reader.received()).isEqualTo(await(writer.store().eventsAfter(0, 10)));
        assertThat(writer.received()).isEqualTo(reader.received());
    }

    @Test
    void allNodesReceiveTheSameEventsOnceInOneOrder() {
        List<Node> all = List.of(node(), node(), node());
        int runs = 6;
        int rounds = 20;
        List<Future<Void>> writing = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            writing.add(write(all.get(run % all.size()).bus()::append, "run-" + run, 0, rounds));
        }
        await(Future.all(writing));

        List<Long> positions =
                LongStream.rangeClosed(1, (long) runs * rounds).boxed().toList();
        for (Node node : all) {
            Awaitility.await().until(() -> node.received().size() >= positions.size());
            assertThat(node.received()).extracting(PositionedEvent::position).containsExactlyElementsOf(positions);
            assertThat(node.received()).isEqualTo(all.get(0).received());
        }
    }

    private static Future<Void> write(
            Function<AppendEvents, Future<Appended>> writer, String runId, int written, int rounds) {
        return written == rounds
                ? Future.succeededFuture()
                : writer.apply(append(runId, written, 1)).compose(next -> write(writer, runId, written + 1, rounds));
    }

    /** Hints may be lost, and with them the connections over which they come. */
    @Test
    void aNodeWhoseConnectionsAreLostMissesNothing() {
        Node writer = node();
        Node reader = node();
        Future<Void> writing = write(writer.store()::append, "run-1", 0, 40);
        String lose = "SELECT pg_terminate_backend(pid, 60000)::text FROM pg_stat_activity"
                + " WHERE datname = current_database() AND application_name = 'loopkeeper' AND query LIKE '%FROM events WHERE position%'";
        List<String> lost = database.ask(lose);
        await(writing);

        assertThat(lost).doesNotContain("false");
        Awaitility.await().until(() -> reader.received().size() >= 40);
        assertThat(reader.received())
                .extracting(PositionedEvent::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 40).boxed().toList());
    }

    /** A process that is notified of its own event must find a state that knows it: the answer comes first. */
    @Test
    void receivesAnOwnEventAfterItsAnswer() {
        Node own = node();
        Node other = node();
        Future<Void> writing = write(other.store()::append, "other", 0, 60);
        List<Long> answered = new ArrayList<>();
        List<String> early = new CopyOnWriteArrayList<>();
        Promise<Void> written = Promise.promise();
        // Who receives and who asks are on one context, so that nothing but the order of messages decides.
        own.vertx().getOrCreateContext().runOnContext(now -> {
            MessageConsumer<?> unused = StoreChannels.EVENTS.listen(own.vertx().eventBus(), received -> {
                boolean mine = received.event().runId().equals("own");
                if (mine && !answered.contains(received.event().sequence())) {
                    early.add(received.toString());
                }
            });
            writeOwn(own.bus(), answered).onComplete(written);
        });
        await(written.future());
        await(writing);

        Awaitility.await().until(() -> own.received().size() >= 90);
        assertThat(early).isEmpty();
        assertThat(own.received()).hasSize(90);
    }

    private static Future<Void> writeOwn(CheckpointWriter writer, List<Long> answered) {
        long last = answered.size();
        return last == 30
                ? Future.succeededFuture()
                : writer.append(append("own", last, 1)).compose(durable -> {
                    answered.add(last + 1);
                    return writeOwn(writer, answered);
                });
    }
}
