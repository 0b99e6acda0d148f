package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.OpenStore;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a node notifies others of its commits, and what it does with a notification. */
class NodeHintsTest {
    private static final int MANY = 200;

    private final TestDatabase database = TestDatabase.fresh();
    private final Vertx vertx = Vertx.vertx();
    private final NodeRegistration registration =
            new NodeRegistration("n1", row -> Placement.of("n1", Optional.empty(), false));
    private final OpenStore store = await(PostgresEventStore.openNode(vertx, database.options(), registration));
    private final List<NodeHints.Kind> reported = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();

    @AfterEach
    void end() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void aRequestAndItsAnswerSendHintsAndAHintPolls() {
        registration.hints().sendTo(reported::add);
        NodeRequests requests = new NodeRequests(vertx, database.options(), registration.hints());
        requests.watch(looks::incrementAndGet);

        long id = await(requests.askNode("n2", "channel", "{}", "n1"));
        assertThat(reported).containsExactly(NodeHints.Kind.REQUESTS);
        await(requests.answer(id, 0, "{}"));
        assertThat(reported).hasSize(2);
        int before = looks.get();
        registration.hints().receive(NodeHints.Kind.FEED);
        assertThat(looks).hasValue(before);
        registration.hints().receive(NodeHints.Kind.REQUESTS);
        assertThat(looks).hasValueGreaterThan(before);
        await(requests.close());
    }

    /** Without a hint it checks a few times a second. */
    @Test
    void theEndOfTheFeedIsSearchedForWithEachHint() {
        Runnable end = store.watchOthers(looks::incrementAndGet).orElseThrow();
        assertThat(await(store.lastPosition())).isZero();
        int before = looks.get();
        for (int hint = 0; hint < MANY; hint++) {
            registration.hints().receive(NodeHints.Kind.FEED);
        }
        assertThat(await(store.lastPosition())).isZero();
        assertThat(looks).hasValueGreaterThanOrEqualTo(before + MANY);
        end.run();
        assertThat(await(store.lastPosition())).isZero();
        int after = looks.get();
        registration.hints().receive(NodeHints.Kind.FEED);
        assertThat(await(store.lastPosition())).isZero();
        assertThat(looks).hasValue(after);
    }
}
