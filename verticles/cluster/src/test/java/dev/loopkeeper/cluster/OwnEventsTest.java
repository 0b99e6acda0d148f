package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.postgres.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All nodes receive everything, and each event is counted by one of them. */
class OwnEventsTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int RUNS = 6;
    private static final String MANIFEST = """
            name: short
            agents: {dev: {command: ["true"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private LocalNodes nodes;

    @BeforeEach
    void open() {
        nodes = new LocalNodes(folder);
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private record ReceivedEvents(List<PositionedEvent> all, List<PositionedEvent> own) {
        static ReceivedEvents at(LocalNodes.Node node) {
            ReceivedEvents received = new ReceivedEvents(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
            await(StoreChannels.EVENTS
                    .listen(node.vertx().eventBus(), received.all::add)
                    .completion());
            await(StoreChannels.OWN_EVENTS
                    .listen(node.vertx().eventBus(), received.own::add)
                    .completion());
            return received;
        }
    }

    @Test
    void eachEventIsOneNodesOwnHoweverTheyAppendBesideEachOther() {
        List<LocalNodes.Node> both = List.of(nodes.start("n1"), nodes.start("n2"));
        List<ReceivedEvents> received = both.stream().map(ReceivedEvents::at).toList();
        Map<String, LocalNodes.Node> owners = new HashMap<>();
        IntStream.range(0, RUNS).forEach(number -> {
            LocalNodes.Node node = both.get(number % 2);
            owners.put(node.submit(MANIFEST, nodes.workspace("w" + number)), node);
        });

        Awaitility.await().atMost(SOON).until(() -> received.stream().allMatch(OwnEventsTest::allEnded));
        EventStore store = await(TestDatabase.open(both.get(0).vertx(), nodes.database.options()));
        List<PositionedEvent> stored = await(store.eventsAfter(0, 10_000));
        List<Long> counted = new ArrayList<>();
        for (int index = 0; index < 2; index++) {
            LocalNodes.Node node = both.get(index);
            assertThat(positions(received.get(index).all()))
                    .as("all at %s", node.name())
                    .isEqualTo(positions(stored));
            assertThat(positions(received.get(index).own()))
                    .as("those of %s", node.name())
                    .isNotEmpty()
                    .isEqualTo(positions(stored.stream()
                            .filter(event ->
                                    node.equals(owners.get(event.event().runId())))
                            .toList()));
            counted.addAll(positions(received.get(index).own()));
        }
        assertThat(counted).containsExactlyInAnyOrderElementsOf(positions(stored));
    }

    private static List<Long> positions(List<PositionedEvent> events) {
        return events.stream().map(PositionedEvent::position).toList();
    }

    private static boolean allEnded(ReceivedEvents received) {
        return received.all().stream()
                        .filter(event -> event.event().type().equals("run.ended")
                                || event.event().type().equals("run.paused"))
                        .count()
                == RUNS;
    }
}
