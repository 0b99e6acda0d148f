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

/** What a node tells others that it has committed, and what it does when it is told. */
class NodeHintsTest {
    private static final int MANY = 200;

    private final TestDatabase database = TestDatabase.fresh();
    private final Vertx vertx = Vertx.vertx();
    private final NodeSeat seat = new NodeSeat("n1", row -> Placement.of("n1", Optional.empty(), false));
    private final OpenStore store = await(PostgresEventStore.openNode(vertx, database.options(), seat));
    private final List<NodeHints.Kind> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();

    @AfterEach
    void end() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void aCommandIsToldOnceItIsRecordedAndLookedForWhereItIsHeard() {
        seat.hints().outlet(told::add);
        CommandInbox inbox = PostgresCommandInbox.of(vertx, database.options(), seat.hints());
        inbox.watch(looks::incrementAndGet);

        long id = await(inbox.ask("r", "stop", "{}", "n2"));
        assertThat(told).containsExactly(NodeHints.Kind.COMMANDS);
        await(inbox.answer(id, 1, "{}"));
        assertThat(told).hasSize(2);
        int before = looks.get();
        seat.hints().heard(NodeHints.Kind.QUESTIONS);
        assertThat(looks).hasValue(before);
        seat.hints().heard(NodeHints.Kind.COMMANDS);
        assertThat(looks).hasValueGreaterThan(before);
        await(inbox.close());
    }

    @Test
    void aQuestionAndItsAnswerAreToldAndLookedFor() {
        seat.hints().outlet(told::add);
        NodeMail mail = PostgresNodeMail.of(vertx, database.options(), seat.hints());
        long id = await(mail.ask("n2", "channel", "{}", MANY));
        await(mail.answer(id, "{}"));

        assertThat(told).containsExactly(NodeHints.Kind.QUESTIONS, NodeHints.Kind.QUESTIONS);
        mail.watch(looks::incrementAndGet);
        seat.hints().heard(NodeHints.Kind.QUESTIONS);
        assertThat(looks).hasValueGreaterThan(0);
        await(mail.close());
    }

    /** By itself it looks a few times a second. */
    @Test
    void theEndOfTheFeedIsLookedForWithEachHint() {
        Runnable end = store.watchOthers(looks::incrementAndGet).orElseThrow();
        assertThat(await(store.lastPosition())).isZero();
        int before = looks.get();
        for (int hint = 0; hint < MANY; hint++) {
            seat.hints().heard(NodeHints.Kind.FEED);
        }
        assertThat(await(store.lastPosition())).isZero();
        assertThat(looks).hasValueGreaterThanOrEqualTo(before + MANY);
        end.run();
        assertThat(await(store.lastPosition())).isZero();
        int after = looks.get();
        seat.hints().heard(NodeHints.Kind.FEED);
        assertThat(await(store.lastPosition())).isZero();
        assertThat(looks).hasValue(after);
    }
}
