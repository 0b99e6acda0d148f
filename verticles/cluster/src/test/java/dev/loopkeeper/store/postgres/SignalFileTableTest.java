package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult.Joined;
import dev.loopkeeper.store.postgres.RunOwners.NodeFacts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes whose runs use the same signal files. */
class SignalFileTableTest {
    private static final String FILE = "/srv/work/dev.json";
    private static final String ANOTHER = "/srv/work/a.json";

    private final Vertx vertx = Vertx.vertx();
    private final TestDatabase database = TestDatabase.fresh();
    private final NodeRegistration registration = new NodeRegistration("n1", row -> new Placement.Shared("/srv/work"));
    private final RunOwners first = new RunOwners(vertx, database.options());
    private final RunOwners second = new RunOwners(vertx, database.options());
    private OpenStore store;
    private long one;
    private long two;

    @BeforeEach
    void join() {
        store = await(PostgresEventStore.openNode(vertx, database.options(), registration));
        one = join(first, "n1");
        two = join(second, "n2");
        registration.take(one);
    }

    @AfterEach
    void close() {
        await(Future.join(List.of(first.close(), second.close(), store.close())));
        await(vertx.close());
    }

    private static long join(RunOwners owners, String node) {
        NodeFacts facts = new NodeFacts(node, "folder of " + node, "", "1.0.0", Set.of(), 4, LeaseTerms.DEFAULTS);
        return ((Joined) await(owners.join(facts))).incarnation();
    }

    private Map<String, String> takeOnFirst(String runId, long sequence, String... files) {
        return await(first.takeSignalFiles(runId, sequence, Set.of(files), "n1", one));
    }

    private Map<String, String> takeOnSecond(String runId, String... files) {
        return await(second.takeSignalFiles(runId, 0, Set.of(files), "n2", two));
    }

    private void loseFirst() {
        database.execute("UPDATE nodes SET state = 'fenced' WHERE node = 'n1'");
    }

    @Test
    void aRunTakesAllItsFilesOrNone() {
        assertThat(takeOnFirst("mine", 0, FILE)).isEmpty();
        assertThat(takeOnFirst("mine", 0, FILE)).as("again").isEmpty();

        assertThat(takeOnSecond("theirs", ANOTHER, FILE)).containsExactly(Map.entry(FILE, "mine"));
        assertThat(takeOnFirst("third", 0, ANOTHER)).as("not kept").isEmpty();
    }

    @Test
    void anActiveRunKeepsItsFilesWhicheverNodeHasIt() {
        assertThat(takeOnFirst("mine", 0, FILE)).isEmpty();
        await(store.append(created("mine")));
        await(first.releaseSignalFiles("mine", "n1", one));
        assertThat(takeOnSecond("theirs", FILE)).containsValue("mine");

        loseFirst();
        assertThat(takeOnSecond("theirs", FILE)).as("lost with its node").containsValue("mine");
        assertThat(await(second.takeSignalFiles("mine", 1, Set.of(FILE), "n2", two)))
                .as("taken over")
                .isEmpty();
        assertThat(takeOnSecond("theirs", FILE)).containsValue("mine");
    }

    @Test
    void aRunThatIsNotActiveUsesNoFileUntilItTakesItAgain() {
        assertThat(takeOnFirst("mine", 0, FILE)).isEmpty();
        await(store.append(created("mine")));
        await(store.append(withStatus(append("mine", 1, 1), "paused", START)));
        assertThat(takeOnFirst("mine", 2, FILE)).as("to be resumed").isEmpty();
        assertThat(takeOnSecond("theirs", FILE)).containsValue("mine");

        await(store.append(withStatus(append("mine", 2, 1), "completed", START)));
        assertThat(takeOnSecond("theirs", FILE)).isEmpty();
        assertThat(takeOnFirst("mine", 3, FILE)).containsValue("theirs");
    }

    @Test
    void aRunThatDidNotBecomeActiveReleasesItsFiles() {
        assertThat(takeOnFirst("mine", 0, FILE)).isEmpty();
        await(first.releaseSignalFiles("mine", "n1", one));
        assertThat(takeOnSecond("theirs", FILE)).isEmpty();
    }

    @Test
    void whatALostNodeTookForARunThatItDidNotCreateIsFree() {
        assertThat(takeOnFirst("mine", 0, FILE)).isEmpty();
        loseFirst();
        assertThat(takeOnSecond("theirs", FILE)).isEmpty();
    }

    /** Its row must not look like that of a run which is about to be created. */
    @Test
    void aRemovedRunUsesNoFile() {
        assertThat(takeOnFirst("mine", 0, FILE)).isEmpty();
        await(store.append(withStatus(created("mine"), "completed", START)));
        assertThat(await(store.delete("mine"))).isTrue();
        assertThat(takeOnSecond("theirs", FILE)).isEmpty();
    }

    @Test
    void oneOfManyAtOnceGetsTheFiles() {
        List<Future<Map<String, String>>> all = IntStream.range(0, 40)
                .mapToObj(number -> number % 2 == 0
                        ? first.takeSignalFiles("run-" + number, 0, Set.of(FILE, ANOTHER), "n1", one)
                        : second.takeSignalFiles("run-" + number, 0, Set.of(ANOTHER, FILE), "n2", two))
                .toList();
        await(Future.join(all));

        assertThat(all.stream().filter(taken -> taken.result().isEmpty())).hasSize(1);
        assertThat(database.ask("SELECT DISTINCT run_id FROM signal_files")).hasSize(1);
    }
}
