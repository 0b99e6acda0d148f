package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withEpoch;
import static dev.loopkeeper.store.StoreSamples.withStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult.Joined;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult.Occupied;
import dev.loopkeeper.store.postgres.RunOwners.NodeFacts;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of one database. */
class RunOwnersTest {
    private static final Set<String> SHARED = Set.of("/srv/work");

    private final Vertx vertx = Vertx.vertx();
    private final TestDatabase database = TestDatabase.fresh();
    private final RunOwners owners = new RunOwners(vertx, database.options());
    private final RunOwners others = new RunOwners(vertx, database.options());
    private final NodeRegistration one = new NodeRegistration("n1", row -> new Placement.Pinned("n1"));
    private final NodeRegistration two = new NodeRegistration("n2", row -> new Placement.Shared("/srv/work"));
    private OpenStore first;
    private OpenStore second;

    @BeforeEach
    void open() {
        first = await(PostgresEventStore.openNode(vertx, database.options(), one));
        second = await(PostgresEventStore.openNode(vertx, database.options(), two));
    }

    @AfterEach
    void close() {
        await(Future.join(List.of(owners.close(), others.close(), first.close(), second.close())));
        await(vertx.close());
    }

    private static NodeFacts facts(String node, String folder) {
        return facts(node, folder, LeaseTerms.DEFAULTS);
    }

    private static NodeFacts facts(String node, String folder, LeaseTerms terms) {
        return new NodeFacts(node, folder, "http://" + node, "1.0.0", Set.of("/srv/work"), 4, terms);
    }

    private boolean renew(long incarnation) {
        return await(owners.renew(facts("n1", "folder of n1"), incarnation));
    }

    @CanIgnoreReturnValue
    private Joined join(NodeRegistration registration) {
        Joined joined = (Joined) await(owners.join(facts(registration.node(), "folder of " + registration.node())));
        registration.take(joined.incarnation());
        return joined;
    }

    private NodeBeat beat(String node) {
        return await(others.nodes()).nodes().stream()
                .filter(row -> row.facts().node().equals(node))
                .findFirst()
                .orElseThrow()
                .asBeat();
    }

    private boolean fence(NodeRegistration by, NodeBeat silent) {
        return await(others.fence(silent, by.node(), by.incarnation()));
    }

    @Test
    void aNodeWritesOnlyWhileItIsLive() {
        assertThat(failure(first.append(created("run-1")))).isInstanceOf(StoreUnavailableException.class);
        join(one);
        await(first.append(created("run-1")));
        join(two);
        assertThat(fence(two, beat("n1"))).isTrue();

        assertThat(failure(first.append(append("run-1", 1, 1)))).isInstanceOf(StaleAppendException.class);
        assertThat(failure(first.append(created("run-2")))).isInstanceOf(StoreUnavailableException.class);
        assertThat(await(second.events("run-1", 0, 10))).hasSize(1);
    }

    @Test
    void onlyTheOwnerWritesAtItsEpoch() {
        join(one);
        join(two);
        await(first.append(created("run-1")));

        assertThat(failure(second.append(append("run-1", 1, 1))))
                .isInstanceOf(StaleAppendException.class)
                .hasMessageContaining("owned at epoch 1");
        assertThat(failure(first.append(withEpoch(append("run-1", 1, 1), 2)))).isInstanceOf(StaleAppendException.class);
        await(first.append(append("run-1", 1, 1)));
    }

    /** What is good in a batch stands. */
    @Test
    void aBatchWithForeignAndFencedRunsWritesTheOwnOnes() {
        join(one);
        join(two);
        await(first.append(created("mine")));
        await(second.append(created("theirs")));
        List<Future<Appended>> answers = List.of(
                first.append(append("mine", 1, 1)),
                first.append(append("theirs", 1, 1)),
                first.append(created("new")),
                first.append(withEpoch(append("mine", 2, 1), 7)));

        assertThat(answers.stream().map(RunOwnersTest::succeeded)).containsExactly(true, false, true, false);
        assertThat(await(first.eventsAfter(0, 10)))
                .extracting(event -> event.position() + " " + event.event().runId())
                .containsExactlyInAnyOrder("1 mine", "2 theirs", "3 mine", "4 new");
    }

    private static boolean succeeded(Future<Appended> answer) {
        return await(answer.map(true).otherwise(false));
    }

    @Test
    void aRestartedLiveNodeKeepsItsRunsWithHigherEpochs() {
        join(one);
        await(first.append(created("run-1")));
        await(first.append(withStatus(created("ended"), "completed", START)));
        Joined again = join(one);

        assertThat(again.incarnation()).isEqualTo(2);
        assertThat(again.runs()).containsExactly(new OwnedRun("run-1", 2));
        assertThat(failure(first.append(append("run-1", 1, 1)))).isInstanceOf(StaleAppendException.class);
        await(first.append(withEpoch(append("run-1", 1, 1), 2)));
        assertThat(await(first.find("run-1"))).as("its checksum holds").isPresent();
    }

    @Test
    void anEarlierIncarnationIsRefusedEverything() {
        long former = join(one).incarnation();
        await(first.append(created("run-1")));
        join(one);
        one.take(former);

        assertThat(failure(first.append(created("run-2")))).isInstanceOf(StoreUnavailableException.class);
        assertThat(renew(former)).isFalse();
        assertThat(await(owners.claim(List.of("run-1"), "n1", former))).isEmpty();
        await(owners.release(List.of("run-1"), "n1", former));
        assertThat(await(owners.leave("n1", former))).isFalse();
        assertThat(await(owners.owned("n1"))).hasSize(1);
    }

    @Test
    void aRestartedFencedNodeHasNoRuns() {
        join(one);
        join(two);
        await(first.append(created("run-1")));
        assertThat(fence(two, beat("n1"))).isTrue();

        assertThat(renew(one.incarnation())).isFalse();
        assertThat(join(one).runs()).isEmpty();
        assertThat(await(owners.owner("run-1")).orElseThrow().node()).isEmpty();
    }

    @Test
    void aFenceNeedsExactlyTheBeatThatWasSeen() {
        join(one);
        join(two);
        NodeBeat seen = beat("n1");
        assertThat(renew(one.incarnation())).isTrue();

        assertThat(fence(two, seen)).as("it has renewed").isFalse();
        assertThat(await(others.fence(beat("n1"), "n2", 99)))
                .as("not live itself")
                .isFalse();
        NodeBeat now = beat("n1");
        assertThat(fence(two, now)).isTrue();
        assertThat(fence(two, now)).as("only once").isFalse();
    }

    @Test
    void aSecondFolderOfALiveNameIsRefused() {
        join(one);

        assertThat(await(others.join(facts("n1", "a copy")))).isInstanceOfSatisfying(Occupied.class, occupied -> {
            assertThat(occupied.folder()).isEqualTo("folder of n1");
            assertThat(occupied.beat()).isEqualTo(beat("n1"));
        });
        assertThat(renew(one.incarnation())).isTrue();
        assertThat(await(owners.leave("n1", one.incarnation()))).isTrue();
        assertThat(await(others.join(facts("n1", "a copy")))).isInstanceOf(Joined.class);
    }

    @Test
    void theFirstNodeClaimsReleasedRuns() {
        join(one);
        join(two);
        List<String> ids =
                IntStream.range(100, 160).mapToObj(number -> "run-" + number).toList();
        ids.forEach(id -> await(first.append(created(id))));
        assertThat(fence(two, beat("n1"))).isTrue();
        join(one);
        assertThat(await(owners.free("n1", SHARED, 100)))
                .extracting(FreeRun::runId)
                .containsExactlyElementsOf(ids);
        assertThat(await(owners.free("n1", SHARED, 1)))
                .extracting(FreeRun::runId)
                .containsExactly("run-100");

        Future<List<OwnedRun>> mine = owners.claim(ids, "n1", one.incarnation());
        Future<List<OwnedRun>> theirs = others.claim(ids, "n2", two.incarnation());
        List<OwnedRun> all = new ArrayList<>(await(mine));
        all.addAll(await(theirs));

        assertThat(all).extracting(OwnedRun::epoch).as("freed and claimed").containsOnly(3L);
        assertThat(all).extracting(OwnedRun::runId).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(await(owners.free("n1", SHARED, 100))).isEmpty();
        assertThat(database.ask("SELECT DISTINCT epoch FROM ownership ORDER BY epoch"))
                .containsExactly("1", "3");
    }

    /** However many there are that others must carry on, none of them is in the way. */
    @Test
    void aNodeIsOfferedOnlyRunsThatItCanHost() {
        join(one);
        join(two);
        await(first.append(created("run-1")));
        await(second.append(created("run-2")));
        assertThat(await(owners.movable(List.of("run-1", "run-2"), "n2", SHARED)))
                .extracting(FreeRun::runId)
                .containsExactly("run-2");
        assertThat(await(owners.movable(List.of("run-1", "run-2"), "n1", SHARED)))
                .as("bound to its node")
                .isEmpty();
        assertThat(await(owners.movable(List.of("run-2"), "n2", Set.of()))).isEmpty();
        database.execute("UPDATE nodes SET state = 'fenced'");

        assertThat(await(owners.free("n3", SHARED, 1)))
                .extracting(FreeRun::runId, FreeRun::placement)
                .containsExactly(tuple("run-2", new Placement.Shared("/srv/work")));
        assertThat(await(owners.free("n3", Set.of(), 1))).isEmpty();
        assertThat(await(owners.free("n1", Set.of(), 9)))
                .extracting(FreeRun::runId)
                .containsExactly("run-1");
    }

    /** Beside a fence an append may still have opened a run that had ended. */
    @Test
    void anOpenRunOfANodeThatIsNotLiveIsFree() {
        join(one);
        join(two);
        await(first.append(created("run-1")));
        database.execute("UPDATE nodes SET state = 'fenced' WHERE node = 'n1'");

        assertThat(await(owners.free("n1", SHARED, 10))).hasSize(1);
        assertThat(await(others.claim(List.of("run-1"), "n2", two.incarnation())))
                .containsExactly(new OwnedRun("run-1", 2));
        assertThat(join(one).runs()).isEmpty();
    }

    @Test
    void aRunThatHasEndedKeepsItsOwnerUntilThatIsGone() {
        join(one);
        join(two);
        await(first.append(withStatus(created("run-1"), "failed", START)));

        assertThat(await(others.claim(List.of("run-1"), "n2", two.incarnation())))
                .isEmpty();
        assertThat(await(owners.leave("n1", one.incarnation()))).isTrue();
        assertThat(await(others.free("n1", SHARED, 10))).isEmpty();
        assertThat(await(others.claim(List.of("run-1"), "n2", two.incarnation())))
                .containsExactly(new OwnedRun("run-1", 2));
    }

    @Test
    void whatIsGivenBackIsFreeAndTheNodeLeavesWithNothing() {
        join(one);
        join(two);
        await(first.append(created("run-1")));
        await(first.append(created("run-2")));
        assertThat(await(owners.leave("n1", one.incarnation()))).isFalse();
        await(owners.release(List.of("run-1"), "n1", one.incarnation()));

        assertThat(await(owners.free("n1", SHARED, 10)))
                .extracting(FreeRun::runId)
                .containsExactly("run-1");
        assertThat(failure(first.append(append("run-1", 1, 1)))).isInstanceOf(StaleAppendException.class);
        await(owners.release(List.of("run-2"), "n1", one.incarnation()));
        assertThat(await(owners.leave("n1", one.incarnation()))).isTrue();
    }

    /** In whichever order the two come, none of what is answered is lost and none written by the fenced node. */
    @Test
    void appendsBesideAFenceAreWrittenBeforeItOrRefused() {
        join(two);
        for (int round = 0; round < 20; round++) {
            String run = "run-" + round;
            join(one);
            await(first.append(created(run)));
            NodeBeat seen = beat("n1");
            Future<Appended> written = first.append(append(run, 1, 1));
            Future<Appended> made = first.append(created(run + "-new"));
            Future<Boolean> fenced = others.fence(seen, "n2", two.incarnation());

            assertThat(await(fenced)).isTrue();
            assertThat(await(first.events(run, 0, 10))).hasSize(succeeded(written) ? 2 : 1);
            assertThat(await(first.find(run + "-new")).isPresent()).isEqualTo(succeeded(made));
            List<String> free = await(others.free("n1", SHARED, 100)).stream()
                    .map(FreeRun::runId)
                    .toList();
            assertThat(free).contains(run);
            assertThat(free.contains(run + "-new")).isEqualTo(succeeded(made));
            assertThat(await(others.claim(free, "n2", two.incarnation()))).hasSameSizeAs(free);
        }
    }

    @Test
    void aDatabaseOfNodesIsRefusedToOneDataFolderAndTheOtherWayRound(@TempDir Path folder) {
        assertThat(failure(PostgresEventStore.open(vertx, database.options(), folder)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("is shared by nodes");
        TestDatabase other = TestDatabase.fresh();
        await(await(PostgresEventStore.open(vertx, other.options(), folder)).close());
        assertThat(failure(PostgresEventStore.openNode(vertx, other.options(), one)))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("another data folder");
    }

    @Test
    void listsTheFactsAndConnectionsOfNodes() {
        join(one);
        await(first.append(created("run-1")));
        RunOwners.NodeSnapshot look = await(others.nodes());

        assertThat(look.nodes()).singleElement().satisfies(row -> {
            assertThat(row.facts()).isEqualTo(facts("n1", "folder of n1"));
            assertThat(row.isLive()).isTrue();
            assertThat(row.open()).isEqualTo(1);
        });
        assertThat(await(others.nodes()).session()).isEqualTo(look.session());
    }

    private boolean takeDuty(RunOwners asking, NodeRegistration registration) {
        return await(asking.takeDuty(Duties.NOTIFICATIONS, registration.node(), registration.incarnation()));
    }

    @Test
    void aDutyIsOneLiveNodesAtATime() {
        assertThat(takeDuty(owners, one)).as("has not joined").isFalse();
        join(one);
        join(two);
        assertThat(takeDuty(owners, one)).isTrue();
        assertThat(takeDuty(owners, one)).as("asked again").isTrue();
        assertThat(takeDuty(others, two)).isFalse();

        await(owners.releaseDuty(Duties.NOTIFICATIONS, "n2", two.incarnation()));
        assertThat(takeDuty(others, two)).as("it was not theirs to give").isFalse();
        await(owners.releaseDuty(Duties.NOTIFICATIONS, "n1", one.incarnation()));
        assertThat(takeDuty(others, two)).isTrue();

        assertThat(fence(one, beat("n2"))).isTrue();
        assertThat(takeDuty(others, two)).isFalse();
        assertThat(takeDuty(owners, one)).isTrue();
        join(one);
        assertThat(takeDuty(owners, one)).as("of its former lease").isTrue();
    }

    @Test
    void oneOfTwoThatTakeADutyAtOnceHasIt() {
        join(one);
        join(two);
        List<Future<Boolean>> taken = List.of(
                owners.takeDuty(Duties.NOTIFICATIONS, "n1", one.incarnation()),
                others.takeDuty(Duties.NOTIFICATIONS, "n2", two.incarnation()));
        await(Future.all(taken));
        assertThat(taken.stream().filter(Future::result)).hasSize(1);
    }

    @Test
    void aNodeWithoutTheDutyWritesNoDeliveries() {
        join(one);
        join(two);
        assertThat(failure(first.beginOutbox(new OutboxState(0, List.of()))))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(takeDuty(owners, one)).isTrue();
        await(first.beginOutbox(new OutboxState(0, List.of())));
        assertThat(failure(second.addPending(3, List.of()))).isInstanceOf(StoreUnavailableException.class);
        await(first.addPending(2, List.of()));

        assertThat(fence(two, beat("n1"))).isTrue();
        assertThat(takeDuty(others, two)).isTrue();
        assertThat(failure(first.addPending(3, List.of()))).isInstanceOf(StoreUnavailableException.class);
        assertThat(await(second.outbox())).contains(new OutboxState(2, List.of()));
    }

    /** A node is notified of it with its next append, however far its next renewal is. */
    @Test
    void anAppendUnderAnExpiredLeaseIsRefused() {
        List<Long> over = new CopyOnWriteArrayList<>();
        one.onFenced(over::add);
        Joined joined = join(one);
        join(two);
        await(first.append(created("run-1")));
        assertThat(over).isEmpty();

        database.execute("UPDATE nodes SET state = 'fenced' WHERE node = 'n1'");
        assertThat(failure(first.append(append("run-1", 1, 1)))).isInstanceOf(StaleAppendException.class);
        assertThat(failure(first.append(created("run-2")))).isInstanceOf(StoreUnavailableException.class);

        assertThat(over).containsExactly(joined.incarnation(), joined.incarnation());
    }

    /** Its processes go by the lease before until they are notified of the new one. */
    @Test
    void aShorterLeaseHoldsOnlyAfterARenewal() {
        LeaseTerms longer = new LeaseTerms(Duration.ofSeconds(60));
        LeaseTerms shorter = new LeaseTerms(Duration.ofSeconds(6));
        Joined before = (Joined) await(owners.join(facts("n1", "folder", longer)));
        assertThat(beat("n1").terms()).isEqualTo(longer);

        Joined back = (Joined) await(owners.join(facts("n1", "folder", shorter)));
        assertThat(beat("n1").terms()).isEqualTo(longer);
        assertThat(await(owners.renew(facts("n1", "folder", longer), before.incarnation())))
                .isFalse();

        assertThat(await(owners.renew(facts("n1", "folder", shorter), back.incarnation())))
                .isTrue();
        assertThat(beat("n1").terms()).isEqualTo(shorter);
        await(owners.join(facts("n1", "folder", longer)));
        assertThat(beat("n1").terms()).isEqualTo(longer);
    }

    /** The node that ended its lease has waited as long as that was. */
    @Test
    void aLeaseThatIsOverLeavesNothingToWaitFor() {
        join(two);
        await(owners.join(facts("n1", "folder", new LeaseTerms(Duration.ofSeconds(60)))));
        assertThat(fence(two, beat("n1"))).isTrue();

        await(owners.join(facts("n1", "folder", LeaseTerms.DEFAULTS)));
        assertThat(beat("n1").terms()).isEqualTo(LeaseTerms.DEFAULTS);
    }

    @Test
    void aSecondFolderIsRefusedWithTheLeaseOfTheFirst() {
        LeaseTerms longer = new LeaseTerms(Duration.ofSeconds(60));
        await(owners.join(facts("n1", "folder", longer)));

        assertThat(await(others.join(facts("n1", "a copy"))))
                .isInstanceOfSatisfying(
                        Occupied.class,
                        occupied -> assertThat(occupied.beat().terms()).isEqualTo(longer));
    }
}
