package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two engines, each with its own data folder, in one clustered Vert.x. */
class EmbeddedTwiceTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ASKS = 1000;
    private static final int RUNS = 10;
    private static final String MANIFEST = """
            name: idle
            agents: {dev: {command: ["true"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private final List<Node> nodes = new ArrayList<>();

    private record Node(String name, Vertx vertx, Loopkeeper keeper, Set<String> received) {
        List<String> runs() {
            return IntStream.range(0, RUNS).mapToObj(run -> name + "-" + run).toList();
        }

        Future<Boolean> knows(String runId) {
            return RunChannels.GET
                    .ask(vertx.eventBus(), new GetRun(runId), SOON)
                    .map(EmbeddedTwiceTest::isAnswered);
        }

        /** Read from the store, by way of the scheduler. */
        Future<Boolean> loads(String runId) {
            return RunChannels.CHECKPOINT
                    .ask(vertx.eventBus(), new GetRun(runId), SOON)
                    .map(EmbeddedTwiceTest::isAnswered);
        }
    }

    private static boolean isAnswered(RunAnswer answer) {
        return answer.refusal().isEmpty();
    }

    @BeforeEach
    void start() throws IOException {
        List<Vertx> joined = await(ClusteredVertx.of(2));
        for (Vertx vertx : joined) {
            String name = "node" + nodes.size();
            Set<String> received = new ConcurrentSkipListSet<>();
            var listener = StoreChannels.EVENTS.listen(
                    vertx.eventBus(), event -> received.add(event.event().runId()));
            await(listener.completion());
            Loopkeeper keeper = await(Loopkeeper.start(vertx, LoopkeeperOptions.of(folder.resolve(name))));
            nodes.add(new Node(name, vertx, keeper, received));
        }
    }

    @AfterEach
    void end() {
        nodes.forEach(node -> await(node.keeper().close()));
        nodes.forEach(node -> await(node.vertx().close()));
    }

    /** Half of all requests went to the other engine: its store was written, agents were launched on its machine. */
    @Test
    void everyRequestIsAnsweredByTheEngineOfItsOwnNode() throws IOException {
        for (Node node : nodes) {
            Path workspace = Files.createDirectories(folder.resolve(node.name() + "-workspace"));
            for (String runId : node.runs()) {
                await(node.keeper()
                        .submit(
                                MANIFEST,
                                RunOptions.DEFAULTS
                                        .workspace(workspace)
                                        .queued()
                                        .runId(runId)));
            }
        }
        List<Future<Boolean>> asked = new ArrayList<>();
        for (int ask = 0; ask < ASKS; ask += 2) {
            for (Node node : nodes) {
                String runId = node.runs().get(ask / 2 % RUNS);
                asked.add(node.knows(runId));
                asked.add(node.loads(runId));
            }
        }
        assertThat(asked).hasSize(ASKS * nodes.size());
        assertThat(asked.stream().filter(answer -> !await(answer))).as("astray").isEmpty();
        for (Node node : nodes) {
            Awaitility.await().atMost(SOON).until(() -> node.received().containsAll(node.runs()));
            assertThat(node.received()).containsExactlyInAnyOrderElementsOf(node.runs());
        }
    }

    /** Also one that has no engine any more: its requests do not go to the other. */
    @Test
    void aRunOfTheOtherNodeIsUnknownAndAFailureKeepsItsType() throws IOException {
        Node first = nodes.get(0);
        Node second = nodes.get(1);
        Path workspace = Files.createDirectories(folder.resolve("workspace"));
        await(first.keeper()
                .submit(
                        MANIFEST,
                        RunOptions.DEFAULTS.workspace(workspace).queued().runId("one")));

        assertThat(await(second.knows("one"))).isFalse();
        assertThat(failure(StoreChannels.APPEND.ask(first.vertx().eventBus(), append("one", 7, 1), SOON)))
                .isInstanceOf(StaleAppendException.class);
        await(second.keeper().close());
        assertThat(failure(second.knows("one"))).hasMessageContaining("No handlers");
        assertThat(await(first.knows("one"))).isTrue();
    }
}
