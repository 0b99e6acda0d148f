package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventStoreVerticleTest {
    @TempDir
    private Path folder;

    private Vertx vertx;
    private OpenStore store;
    private CheckpointWriter bus;

    @BeforeEach
    void deploy() {
        vertx = Vertx.vertx();
        store = await(SqliteEventStore.open(vertx, folder));
        bus = new CheckpointWriter(vertx.eventBus());
        await(vertx.deployVerticle(new EventStoreVerticle(store)));
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void publishesEveryEventInTheOrderOfPositions() {
        List<PositionedEvent> received = new CopyOnWriteArrayList<>();
        List<PositionedEvent> creations = new CopyOnWriteArrayList<>();
        listen(StoreChannels.EVENTS, received::add);
        listen(StoreChannels.eventsOf("run.created"), creations::add);

        await(Future.all(IntStream.range(0, 100)
                .mapToObj(run -> bus.append(append("run-" + run, 0, 2)))
                .toList()));

        Awaitility.await().until(() -> received.size() == 200 && creations.size() == 100);
        assertThat(received).isEqualTo(await(store.eventsAfter(0, 1000)));
    }

    @Test
    void answersBeforeItPublishes() {
        List<String> order = new CopyOnWriteArrayList<>();
        listen(StoreChannels.EVENTS, fact -> order.add("heard"));
        vertx.getOrCreateContext()
                .runOnContext(now -> bus.append(created("run-1")).onSuccess(appended -> order.add("answered")));

        Awaitility.await().until(() -> order.size() == 2);
        assertThat(order).containsExactly("answered", "heard");
    }

    private <E> void listen(EventChannel<E> channel, Consumer<E> listener) {
        await(channel.listen(vertx.eventBus(), listener).completion());
    }
}
