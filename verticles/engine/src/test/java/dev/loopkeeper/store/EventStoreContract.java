package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.event;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withEpoch;
import static dev.loopkeeper.store.StoreSamples.withKey;
import static dev.loopkeeper.store.StoreSamples.withSnapshot;
import static dev.loopkeeper.store.StoreSamples.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.EventStore.RunsAt;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.Outbox.OutboxTarget;
import dev.loopkeeper.store.PolicyStore.StoredPolicy;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.UsageStore.UsageSum;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link EventStore} does. */
public abstract class EventStoreContract {
    protected Vertx vertx;
    protected OpenStore opened;
    protected EventStore store;

    /** An empty store for one test. */
    protected abstract Future<? extends OpenStore> openEmpty();

    /** How callers reach it; on its own. */
    protected EventStore reach(OpenStore opened) {
        return opened;
    }

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
        opened = await(openEmpty());
        store = reach(opened);
    }

    @AfterEach
    void close() {
        await(opened.close());
        await(vertx.close());
    }

    private static final String POLICY = "{\"pools\":{\"claude-max\":{\"places\":3}}}";

    private static final Instant TWO = Instant.parse("2026-06-02T02:00:00Z");

    private static Fire fire(By by, String key, Instant at) {
        return Fire.due("nightly", at, key, by, Optional.of("n1"), Map.of("SHA", "ä"));
    }

    @Test
    void keepsAFireOncePerKey() {
        Fire fire = fire(By.CRON, "cron/2", TWO);

        assertThat(await(store.addFire(fire))).isEqualTo(fire);
        assertThat(await(store.addFire(fire(By.CRON, "cron/2", TWO.plusSeconds(9)))))
                .isEqualTo(fire);
        assertThat(await(store.fires("nightly", 50))).containsExactly(fire);
        assertThat(await(store.fires("other", 50))).isEmpty();
    }

    @Test
    void theNewestFireThatWasTriedStaysBehindAnyNumberOfSkippedOnes() {
        Fire older = fire(By.CRON, "older", TWO.minusSeconds(60)).started("run-1");
        Fire failed = fire(By.CRON, "failed", TWO).with(Outcome.FAILED, "no manifest");
        assertThat(await(store.newestTried("nightly"))).isEmpty();
        await(store.addFire(older));
        await(store.addFire(failed));
        await(store.sentFire(failed));
        for (int number = 1; number <= FireStore.KEPT; number++) {
            await(store.addFire(fire(By.CRON, "cron/" + number, TWO.plusSeconds(60L * number))
                    .with(Outcome.SKIPPED, "open run")));
        }

        assertThat(await(store.newestTried("nightly"))).contains(failed);
        assertThat(await(store.fires("nightly", 2000))).contains(failed).doesNotContain(older);
    }

    @Test
    void ofFiresWithTheSameKeyOneIsKept() {
        List<Future<Fire>> added = IntStream.range(0, 8)
                .mapToObj(number -> store.addFire(fire(By.HOOK, "hook/1", TWO.plusSeconds(number))))
                .toList();

        assertThat(added.stream().map(StoreSamples::await).distinct()).hasSize(1);
        assertThat(await(store.openFires())).hasSize(1);
    }

    @Test
    void aFireChangesWhileItIsOpen() {
        Fire fire = await(store.addFire(fire(By.HAND, "hand/1", TWO)));
        Fire queued = fire.with(Outcome.QUEUED, "waits");

        assertThat(await(store.changeFire(queued))).isEqualTo(queued);
        assertThat(await(store.openFires())).containsExactly(queued);
        assertThat(await(store.changeFire(queued.started("run-1")))).isEqualTo(queued.started("run-1"));
        assertThat(await(store.changeFire(fire.with(Outcome.FAILED, "late")))).isEqualTo(queued.started("run-1"));
        assertThat(await(store.openFires())).isEmpty();
    }

    @Test
    void aFailedFireIsUnsentUntilItsReceiversAreNotified() {
        Fire failed = fire(By.CRON, "cron/1", TWO).with(Outcome.FAILED, "no manifest");
        Fire later = fire(By.HAND, "hand/1", TWO.plusSeconds(1));
        await(store.addFire(failed));
        await(store.addFire(later));
        assertThat(await(store.unsentFires())).containsExactly(failed);

        Fire changed = await(store.changeFire(later.with(Outcome.FAILED, "no manifest")));
        await(store.sentFire(failed));

        assertThat(await(store.unsentFires())).containsExactly(changed);
        assertThat(await(store.fires("nightly", 9))).containsExactly(changed, failed);
    }

    @Test
    void knowsTheNewestApplicationAndTheNewestFireOfTheClock() {
        Fire applied = fire(By.POLICY, "applied/2", TWO.minusSeconds(1)).with(Outcome.APPLIED, "0 2 * * *");
        Fire newest = fire(By.CRON, "cron/2", TWO);
        await(store.addFire(fire(By.POLICY, "applied/1", TWO.minusSeconds(9)).with(Outcome.APPLIED, "")));
        await(store.addFire(applied));
        await(store.addFire(fire(By.CRON, "cron/1", TWO.minusSeconds(60))));
        await(store.addFire(newest));
        await(store.addFire(fire(By.HAND, "hand/1", TWO.plusSeconds(60))));

        assertThat(await(store.newestTimes())).containsExactlyInAnyOrder(applied, newest);
        assertThat(await(store.fires("nightly", 2))).extracting(Fire::key).containsExactly("hand/1", "cron/2");
    }

    @Test
    void aStoreWithoutAPolicyHasVersionZero() {
        assertThat(await(store.policyOtherThan(0))).isEmpty();
    }

    @Test
    void keepsTheNewestPolicyWithItsVersion() {
        assertThat(await(store.putPolicy(POLICY, OptionalLong.empty()))).contains(new StoredPolicy(1, POLICY));
        assertThat(await(store.putPolicy("{}", OptionalLong.of(1)))).contains(new StoredPolicy(2, "{}"));

        assertThat(await(store.policyOtherThan(0))).contains(new StoredPolicy(2, "{}"));
        assertThat(await(store.policyOtherThan(2))).isEmpty();
    }

    @Test
    void theSamePolicyAgainKeepsItsVersion() {
        await(store.putPolicy(POLICY, OptionalLong.empty()));

        assertThat(await(store.putPolicy(POLICY, OptionalLong.empty()))).contains(new StoredPolicy(1, POLICY));
    }

    @Test
    void aPolicyReplacesOnlyTheExpectedVersion() {
        await(store.putPolicy(POLICY, OptionalLong.of(0)));

        assertThat(await(store.putPolicy("{}", OptionalLong.of(0)))).isEmpty();
        assertThat(await(store.policyOtherThan(0))).contains(new StoredPolicy(1, POLICY));
    }

    @Test
    void ofPoliciesThatExpectTheSameVersionOneIsKept() {
        List<Future<Optional<StoredPolicy>>> puts = IntStream.range(0, 8)
                .mapToObj(number -> store.putPolicy("{\"caps\":[" + number + "]}", OptionalLong.of(0)))
                .toList();

        assertThat(puts.stream().map(StoreSamples::await).flatMap(Optional::stream))
                .singleElement()
                .satisfies(kept -> assertThat(await(store.policyOtherThan(0))).contains(kept));
    }

    private static final Window.Span DAY = Window.DAY.at(START, ZoneOffset.UTC);

    private static AppendEvents used(AppendEvents append, ReportedUsage reported) {
        RunRow row = append.row();
        ObjectNode view = row.view().deepCopy();
        view.put("workspace", "/srv/w");
        return new AppendEvents(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                append.events(),
                new RunRow(row.runId(), row.name(), row.status(), row.createdAt(), view),
                Optional.empty(),
                Optional.empty(),
                Optional.of(reported));
    }

    /** The totals of cost, estimates, tokens and steps of unknown cost. */
    private List<Long> usedIn(Window.Span window, long after) {
        List<UsageSum> sums = await(store.usage(window, after));
        assertThat(sums)
                .allSatisfy(sum ->
                        assertThat(List.of(sum.name(), sum.workspace())).containsExactly("fix-flaky-tests", "/srv/w"));
        return List.of(
                sums.stream().mapToLong(UsageSum::costNanoUsd).sum(),
                sums.stream().mapToLong(UsageSum::estimatedNanoUsd).sum(),
                sums.stream().mapToLong(UsageSum::tokens).sum(),
                sums.stream().mapToLong(UsageSum::unknownSteps).sum());
    }

    @Test
    void sumsReportedUsageOfEachWindow() {
        Instant last = DAY.end().minusMillis(1);
        await(store.append(used(created("run-1"), new ReportedUsage(last, 5, 3, 100, 1))));
        await(store.append(used(append("run-1", 1, 2), new ReportedUsage(last, -2, -3, 7, 0))));
        await(store.append(used(append("run-1", 3, 1), new ReportedUsage(DAY.end(), 11, 0, 13, 0))));

        assertThat(usedIn(DAY, 0)).containsExactly(3L, 0L, 107L, 1L);
        assertThat(usedIn(Window.DAY.at(DAY.end(), ZoneOffset.UTC), 0)).containsExactly(11L, 0L, 13L, 0L);
    }

    @Test
    void sumsReportedUsageAfterAPosition() {
        long first = await(store.append(used(created("run-1"), new ReportedUsage(START, 5, 0, 0, 0))))
                .lastPosition();
        assertThat(await(store.usage(DAY, 0))).extracting(UsageSum::position).containsExactly(first);

        await(store.append(used(created("run-2"), new ReportedUsage(START, 7, 0, 0, 0))));

        assertThat(usedIn(DAY, first)).containsExactly(7L, 0L, 0L, 0L);
    }

    @Test
    void countsReportedUsageOnceAndKeepsItWhenItsRunIsRemoved() {
        AppendEvents ended = withStatus(created("run-1"), "completed", START);
        AppendEvents reported = used(ended, new ReportedUsage(START, 5, 0, 2, 0));
        await(store.append(reported));
        assertThat(failure(store.append(reported))).isInstanceOf(StaleAppendException.class);

        await(store.delete("run-1"));

        assertThat(usedIn(DAY, 0)).containsExactly(5L, 0L, 2L, 0L);
        await(store.forgetUsage(START));
        assertThat(usedIn(DAY, 0)).containsExactly(5L, 0L, 2L, 0L);
        await(store.forgetUsage(START.plusMillis(1)));
        assertThat(usedIn(DAY, 0)).containsExactly(0L, 0L, 0L, 0L);
    }

    @Test
    void keepsPoolsWhileTheyAreUsed() {
        running("run-1");
        Instant now = Instant.parse("2026-11-20T15:00:00Z");
        PoolInput asks = new PoolInput.Claims(now, "run-1", 3, Set.of(), Set.of("task/build///0"));
        PoolInput limit = new PoolInput.Limit(now, "run-1", "s", now.plusSeconds(60), "usage limit", Optional.of(now));

        PoolState state = await(store.changePool("shared", List.of(asks, limit), OptionalInt.of(1)));

        assertThat(await(store.pools())).isEqualTo(Map.of("shared", state));
        PoolInput left = new PoolInput.Left(now, "run-1");
        await(store.changePool("shared", List.of(left, new PoolInput.Cleared(now)), OptionalInt.of(1)));
        assertThat(await(store.pools())).isEmpty();
    }

    @Test
    void takesBackPlacesOfRunsAtRest() {
        Instant now = Instant.parse("2026-11-20T15:00:00Z");
        running("run-1");
        running("run-2");
        await(store.append(withStatus(created("run-3"), "paused", now)));
        for (String run : List.of("run-1", "run-2", "run-3", "run-4")) {
            await(store.changePool(
                    "shared", List.of(new PoolInput.Claims(now, run, 0, Set.of("s"), Set.of())), OptionalInt.of(9)));
        }

        PoolState state = await(store.changePool("shared", List.of(new PoolInput.Due(now)), OptionalInt.of(9)));

        assertThat(state.claims().keySet()).containsExactlyInAnyOrder("run-1/s", "run-2/s");
    }

    private void running(String runId) {
        await(store.append(withStatus(created(runId), "running", Instant.parse("2026-11-20T15:00:00Z"))));
    }

    @Test
    void neverGivesMorePlacesThanAPoolHas() {
        Instant now = Instant.parse("2026-11-20T15:00:00Z");
        IntStream.range(0, 8).forEach(number -> running("run-" + number));
        List<Future<PoolState>> asked = IntStream.range(0, 8)
                .mapToObj(number -> store.changePool(
                        "shared",
                        List.of(new PoolInput.Claims(now, "run-" + number, 0, Set.of(), Set.of("s"))),
                        OptionalInt.of(3)))
                .toList();

        assertThat(asked.stream().map(StoreSamples::await)).allMatch(state -> state.used() <= 3);
        assertThat(await(store.pools()).get("shared").waitingRuns()).hasSize(5);
    }

    @Test
    void givesBackEventsAsTheyWereAppended() {
        await(store.append(append("run-1", 0, 3)));

        List<PositionedEvent> found = await(store.events("run-1", 0, 100));

        assertThat(found)
                .extracting(PositionedEvent::event)
                .containsExactly(event("run-1", 1), event("run-1", 2), event("run-1", 3));
    }

    @Test
    void readsFromASequenceUpToALimit() {
        await(store.append(append("run-1", 0, 10)));

        assertThat(await(store.events("run-1", 4, 3)))
                .extracting(found -> found.event().sequence())
                .containsExactly(5L, 6L, 7L);
        assertThat(await(store.events("run-1", 10, 3))).isEmpty();
        assertThat(await(store.events("unknown", 0, 3))).isEmpty();
    }

    @Test
    void picksEventsOfARunByTypeNameAndPlace() {
        await(store.append(append("run-1", 0, 10)));
        await(store.append(append("run-2", 0, 10)));
        Set<String> ends = Set.of("step.finished");

        assertThat(sequences(EventQuery.oldest("run-1", ends, 0, 3))).containsExactly(2L, 3L, 4L);
        assertThat(sequences(EventQuery.oldest("run-1", ends, 8, 3))).containsExactly(9L, 10L);
        assertThat(sequences(EventQuery.newest("run-1", Set.of(), Long.MAX_VALUE, 3)))
                .containsExactly(10L, 9L, 8L);
        assertThat(sequences(EventQuery.newest("run-1", ends, 4, 9))).containsExactly(3L, 2L);
        assertThat(sequences(EventQuery.ofSteps("run-1", ends, Set.of("build.10.dev.1", "build.3.dev.1", "build.1"))))
                .containsExactly(3L, 10L);
        assertThat(sequences(EventQuery.ofSteps("run-1", ends, Set.of("build.1.dev.1"))))
                .isEmpty();
        assertThat(sequences(EventQuery.oldest("unknown", ends, 0, 3))).isEmpty();
    }

    private List<Long> sequences(EventQuery query) {
        return await(store.events(query)).stream()
                .map(found -> found.event().sequence())
                .toList();
    }

    @Test
    void aReadEndsByBytesAndContinuesWhereItEnded() {
        int count = 12;
        await(store.append(large("run-1", count)));

        assertThat(await(store.events("run-1", 0, count))).hasSizeLessThan(count / 2);
        assertThat(await(store.eventsAfter(0, count))).hasSizeLessThan(count / 2);
        assertThat(all(EventQuery.newest("run-1", Set.of(), Long.MAX_VALUE, count)))
                .containsExactlyElementsOf(LongStream.iterate(count, last -> last - 1)
                        .limit(count)
                        .boxed()
                        .toList());
        assertThat(all(EventQuery.oldest("run-1", Set.of(), 0, count - 1)))
                .containsExactlyElementsOf(LongStream.range(1, count).boxed().toList());
        assertThat(await(store.load("run-1")).orElseThrow().events()).hasSize(count);
    }

    private static AppendEvents large(String runId, int count) {
        AppendEvents small = append(runId, 0, count);
        List<StoredEvent> events = small.events().stream()
                .map(event -> new StoredEvent(
                        runId,
                        event.sequence(),
                        event.at(),
                        event.type(),
                        event.execution(),
                        TextNode.valueOf("x".repeat(120_000))))
                .toList();
        return new AppendEvents(runId, 0, 1, events, small.row(), Optional.empty(), Optional.empty());
    }

    private List<Long> all(EventQuery query) {
        List<Long> found = new ArrayList<>();
        await(new EventPages(store).each(query, part -> {
            assertThat(part).hasSizeLessThan(6);
            part.forEach(event -> found.add(event.event().sequence()));
            return Future.succeededFuture(true);
        }));
        return found;
    }

    @Test
    void aPageOfLargeRunsEndsByBytesAndContinuesWhereItEnded() {
        int count = 6;
        appendLargeRuns(count, "running");
        RunPage page = await(store.list(new RunQuery(Set.of(), 100, Optional.empty())));
        List<String> found = new ArrayList<>();
        page.runs().forEach(row -> found.add(row.runId()));
        assertThat(found).hasSizeLessThan(count);
        while (page.nextCursor().isPresent()) {
            page = await(store.list(new RunQuery(Set.of(), 100, page.nextCursor())));
            page.runs().forEach(row -> found.add(row.runId()));
        }

        assertThat(found).containsExactly("run-6", "run-5", "run-4", "run-3", "run-2", "run-1");
    }

    @Test
    void ofLargeRunsThatHaveEndedOnlyTheNewestBelongToAnInstant() {
        appendLargeRuns(6, "completed");

        RunsAt now = await(store.runsAt(new RunSelection(Set.of(), Set.of("running"), 50), Optional.empty()));

        assertThat(now.runs()).extracting(run -> run.row().runId()).containsExactly("run-6", "run-5", "run-4");
    }

    private void appendLargeRuns(int count, String status) {
        for (int run = 1; run <= count; run++) {
            AppendEvents small = created("run-" + run);
            ObjectNode view = JsonNodeFactory.instance.objectNode().put("runId", small.runId());
            RunRow row = new RunRow(
                    small.runId(),
                    "large",
                    status,
                    START.plusSeconds(run),
                    view.put("deliverable", "x".repeat(1_500_000)));
            await(store.append(
                    new AppendEvents(small.runId(), 0, 1, small.events(), row, Optional.empty(), Optional.empty())));
        }
    }

    @Test
    void ordersEventsOfAllRunsByPosition() {
        Appended first = await(store.append(append("run-1", 0, 2)));
        Appended second = await(store.append(append("run-2", 0, 1)));
        Appended third = await(store.append(append("run-1", 2, 1)));

        List<PositionedEvent> all = await(store.eventsAfter(0, 100));

        assertThat(all)
                .extracting(found -> found.event().runId() + ":" + found.event().sequence())
                .containsExactly("run-1:1", "run-1:2", "run-2:1", "run-1:3");
        assertThat(all).extracting(PositionedEvent::position).isSorted().doesNotHaveDuplicates();
        assertThat(List.of(first.lastPosition(), second.lastPosition(), third.lastPosition()))
                .containsExactly(
                        all.get(1).position(), all.get(2).position(), all.get(3).position());
        assertThat(all.get(0).position()).isEqualTo(first.lastPosition() - 1);
        assertThat(await(store.eventsAfter(second.lastPosition(), 100))).hasSize(1);
        assertThat(await(store.eventsAfter(0, 2))).hasSize(2);
    }

    @Test
    void namesTheRunsThatEndedAfterAPosition() {
        await(store.append(ended("run-1")));
        Appended second = await(store.append(ended("run-2")));
        await(store.append(append("run-3", 0, 2)));
        await(store.append(ended("run-4")));

        assertThat(await(store.endedAfter(-7))).containsExactlyInAnyOrder("run-1", "run-2", "run-4");
        assertThat(await(store.endedAfter(second.lastPosition()))).containsExactly("run-4");
    }

    private static AppendEvents ended(String runId) {
        StoredEvent end = new StoredEvent(runId, 1, START, "run.ended", 1, Json.MAPPER.createObjectNode());
        return new AppendEvents(
                runId,
                0,
                1,
                List.of(end),
                StoreSamples.row(runId, "completed", START),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void returnsTheLastPosition() {
        assertThat(await(store.lastPosition())).isZero();

        Appended appended = await(store.append(append("run-1", 0, 5)));

        assertThat(await(store.lastPosition())).isEqualTo(appended.lastPosition());
    }

    @Test
    void refusesAnAppendThatExpectsAnotherSequence() {
        await(store.append(append("run-1", 0, 2)));

        for (long expected : new long[] {0, 1, 3}) {
            Throwable refused = failure(store.append(append("run-1", expected, 1)));

            assertThat(refused).isInstanceOfSatisfying(StaleAppendException.class, stale -> {
                assertThat(stale.runId()).isEqualTo("run-1");
                assertThat(stale).hasMessageContaining("is at sequence 2");
            });
        }
        assertThat(failure(store.append(append("new", 1, 1)))).isInstanceOf(StaleAppendException.class);
        assertThat(await(store.eventsAfter(0, 100))).hasSize(2);
    }

    @Test
    void refusesAnOwnerOfALowerEpoch() {
        await(store.append(withEpoch(created("run-1"), 2)));
        await(store.append(withEpoch(append("run-1", 1, 1), 3)));

        assertThat(failure(store.append(withEpoch(append("run-1", 2, 1), 2))))
                .isInstanceOf(StaleAppendException.class)
                .hasMessageContaining("epoch 3");
        assertThat(await(store.append(withEpoch(append("run-1", 2, 1), 3)))).isNotNull();
    }

    @Test
    void loadsARunWithoutSnapshotFromItsWholeHistory() {
        await(store.append(append("run-1", 0, 3)));

        StoredRun run = await(store.load("run-1")).orElseThrow();

        assertThat(run.snapshot()).isEmpty();
        assertThat(run.snapshotSequence()).isZero();
        assertThat(run.events()).hasSize(3);
        assertThat(run.row()).isEqualTo(append("run-1", 0, 3).row());
        assertThat(await(store.load("unknown"))).isEmpty();
    }

    /** All events of 40,000 iterations at once were more than memory holds. */
    @Test
    void loadsALongHistoryWithoutSnapshotInPieces() throws Exception {
        JsonNode document =
                Json.MAPPER.readTree("{\"name\": \"demo\", \"agents\": {\"dev\": {\"command\": [\"true\"]}},"
                        + " \"phases\": [{\"name\": \"plan\", \"task\": \"dev\"}]}");
        Manifest manifest = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
        RunEvent created = new RunCreated(
                "run-1",
                "demo",
                "nonce",
                "/w",
                "/w",
                true,
                document,
                manifest,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        await(store.append(appended(0, created)));
        int notices = 12;
        for (int notice = 1; notice <= notices; notice++) {
            await(store.append(appended(notice, Notice.of("large", "x".repeat(1 << 20)))));
        }

        StoredRun run = await(store.load("run-1")).orElseThrow();

        assertThat(run.snapshot()).isPresent();
        assertThat(run.events()).hasSizeLessThan(notices / 2);
        assertThat(run.sequence()).isEqualTo(notices + 1);
        assertThat(run.state().sequence()).isEqualTo(notices + 1);
        assertThat(await(store.loadAt("run-1", 9)).orElseThrow().state().sequence())
                .isEqualTo(9);
    }

    private static AppendEvents appended(long expected, RunEvent event) {
        StoredEvent stored =
                new StoredEvent("run-1", expected + 1, START, EventTypes.of(event), 1, EventJson.write(event));
        AppendEvents sample = append("run-1", expected, 1);
        return new AppendEvents(
                "run-1", expected, 1, List.of(stored), sample.row(), Optional.empty(), Optional.empty());
    }

    @Test
    void loadsARunFromItsNewestSnapshot() {
        await(store.append(withSnapshot(append("run-1", 0, 2), "{\"at\":2}")));
        await(store.append(append("run-1", 2, 2)));
        await(store.append(withSnapshot(append("run-1", 4, 1), "{\"at\":5}")));
        await(store.append(append("run-1", 5, 2)));

        StoredRun run = await(store.load("run-1")).orElseThrow();

        assertThat(run.snapshot()).contains("{\"at\":5}");
        assertThat(run.snapshotSequence()).isEqualTo(5);
        assertThat(run.events()).extracting(StoredEvent::sequence).containsExactly(6L, 7L);
        assertThat(await(store.events("run-1", 0, 100))).hasSize(7);
    }

    @Test
    void loadsARunFromASnapshotThatCameLater() {
        await(store.append(append("run-1", 0, 5)));
        await(store.addSnapshot("run-1", 3, "{\"at\":3}"));
        await(store.addSnapshot("run-1", 6, "{\"of\":\"another history\"}"));
        await(store.addSnapshot("unknown", 0, "{}"));
        await(store.append(append("run-1", 5, 2)));

        StoredRun run = await(store.load("run-1")).orElseThrow();

        assertThat(run.snapshot()).contains("{\"at\":3}");
        assertThat(run.events()).extracting(StoredEvent::sequence).containsExactly(4L, 5L, 6L, 7L);
        assertThat(await(store.load("unknown"))).isEmpty();
    }

    @Test
    void loadsARunAsItStoodAfterAnEarlierEvent() {
        await(store.append(withSnapshot(append("run-1", 0, 2), "{\"at\":2}")));
        await(store.append(withSnapshot(append("run-1", 2, 3), "{\"at\":5}")));
        await(store.append(append("run-1", 5, 2)));

        StoredRun early = await(store.loadAt("run-1", 1)).orElseThrow();
        StoredRun between = await(store.loadAt("run-1", 4)).orElseThrow();
        StoredRun whole = await(store.loadAt("run-1", 7)).orElseThrow();

        assertThat(early.snapshot()).isEmpty();
        assertThat(early.events()).extracting(StoredEvent::sequence).containsExactly(1L);
        assertThat(between.snapshot()).contains("{\"at\":2}");
        assertThat(between.events()).extracting(StoredEvent::sequence).containsExactly(3L, 4L);
        assertThat(whole).isEqualTo(await(store.load("run-1")).orElseThrow());
        assertThat(await(store.loadAt("run-1", 0))).isEmpty();
        assertThat(await(store.loadAt("run-1", 8))).isEmpty();
        assertThat(await(store.loadAt("unknown", 1))).isEmpty();
    }

    @Test
    void listsRunsAndTheirProgressAtAPosition() {
        await(store.append(withStatus(append("old", 0, 2), "completed", START)));
        await(store.append(withStatus(append("open", 0, 2), "running", START.plusSeconds(1))));
        Appended then = await(store.append(withStatus(append("new", 0, 1), "completed", START.plusSeconds(2))));
        await(store.append(withStatus(append("open", 2, 3), "paused", START.plusSeconds(1))));
        await(store.append(withStatus(append("oldest", 0, 1), "failed", START.minusSeconds(1))));
        Appended last = await(store.append(withStatus(append("newest", 0, 1), "running", START.plusSeconds(3))));
        RunSelection openAndTwo = new RunSelection(Set.of(), Set.of("running", "paused"), 2);
        RunSelection named = new RunSelection(Set.of("old", "unknown"), Set.of(), 0);

        RunsAt now = await(store.runsAt(openAndTwo, Optional.empty()));
        RunsAt past = await(store.runsAt(openAndTwo, Optional.of(then.lastPosition())));
        RunsAt one = await(store.runsAt(named, Optional.empty()));

        assertThat(now.lastPosition()).isEqualTo(last.lastPosition());
        assertThat(now.runs())
                .extracting(run -> run.row().runId() + ":" + run.sequence() + ":" + run.current())
                .containsExactly("newest:1:true", "new:1:true", "open:5:true", "old:2:true");
        assertThat(past.lastPosition()).isEqualTo(last.lastPosition());
        assertThat(past.runs())
                .extracting(run -> run.row().runId() + ":" + run.sequence() + ":" + run.current())
                .containsExactly("new:1:true", "open:2:false", "old:2:true");
        assertThat(one.runs()).extracting(run -> run.row().runId()).containsExactly("old");
    }

    /** Rows that were read after the position held events that came after it. */
    @Test
    void listsRunsAndTheNewestPositionOfOneInstant() {
        RunSelection all = new RunSelection(Set.of(), Set.of("running"), 0);
        List<Future<Appended>> appends = new ArrayList<>();
        List<Future<RunsAt>> answers = new ArrayList<>();
        for (int event = 0; event < 50; event++) {
            for (int run = 0; run < 5; run++) {
                appends.add(store.append(append("run-" + run, event, 1)));
            }
            answers.add(store.runsAt(all, Optional.empty()));
        }
        appends.forEach(append -> assertThat(succeeds(append)).isTrue());
        List<PositionedEvent> events = await(store.eventsAfter(0, 1000));
        for (Future<RunsAt> answer : answers) {
            RunsAt found = await(answer);
            long durable = events.stream()
                    .filter(event -> event.position() <= found.lastPosition())
                    .count();
            assertThat(found.runs().stream().mapToLong(RunsAt.RunAt::sequence).sum())
                    .isEqualTo(durable);
        }
    }

    @Test
    void replacesTheRowWithEachAppend() {
        await(store.append(created("run-1")));
        await(store.append(withStatus(append("run-1", 1, 1), "paused", START)));

        assertThat(await(store.find("run-1"))).contains(StoreSamples.row("run-1", "paused", START));
        assertThat(await(store.find("unknown"))).isEmpty();
    }

    @Test
    void listsRunsNewestFirstInPages() {
        // Times whose texts differ in length, and two that are equal.
        await(store.append(withStatus(created("b"), "running", START)));
        await(store.append(withStatus(created("a"), "paused", START)));
        await(store.append(withStatus(created("old"), "completed", START.minusMillis(120))));
        await(store.append(withStatus(created("new"), "running", START.plusNanos(1))));

        RunPage first = await(store.list(new RunQuery(Set.of(), 3, Optional.empty())));
        RunPage second = await(store.list(new RunQuery(Set.of(), 3, first.nextCursor())));

        assertThat(first.runs()).extracting(RunRow::runId).containsExactly("new", "b", "a");
        assertThat(second.runs()).extracting(RunRow::runId).containsExactly("old");
        assertThat(second.nextCursor()).isEmpty();
    }

    @Test
    void listsRunsOfSomeStatuses() {
        await(store.append(withStatus(created("one"), "running", START)));
        await(store.append(withStatus(created("two"), "paused", START.plusSeconds(1))));
        await(store.append(withStatus(created("three"), "completed", START.plusSeconds(2))));

        RunQuery open = new RunQuery(Set.of("running", "paused"), 1, Optional.empty());
        RunPage first = await(store.list(open));
        RunPage second = await(store.list(new RunQuery(open.statuses(), 1, first.nextCursor())));

        assertThat(first.runs()).extracting(RunRow::runId).containsExactly("two");
        assertThat(second.runs()).extracting(RunRow::runId).containsExactly("one");
        assertThat(second.nextCursor()).isEmpty();
    }

    @Test
    void listsRunsWhoseIdsBeginSo() {
        for (String id : List.of("fix", "fix-1", "fix-2", "fixz", "fiy", "Fix-3", "build.x")) {
            await(store.append(created(id)));
        }
        assertThat(beginWith("fix")).containsExactlyInAnyOrder("fix", "fix-1", "fix-2", "fixz");
        assertThat(beginWith("fix-")).containsExactlyInAnyOrder("fix-1", "fix-2");
        assertThat(beginWith("fix_")).isEmpty();
        RunQuery ended = new RunQuery(Set.of("completed"), 9, Optional.empty(), Optional.of("fix"));
        assertThat(await(store.list(ended)).runs()).isEmpty();
    }

    @Test
    void listsRunsThatHaveATextInTheirIdOrName() {
        for (String id : List.of("wxy-1", "build-WXY", "other", "100%_x")) {
            await(store.append(created(id)));
        }
        assertThat(have("wxy")).containsExactlyInAnyOrder("wxy-1", "build-WXY");
        assertThat(have("WXY-")).containsExactly("wxy-1");
        assertThat(have("%")).as("no pattern").containsExactly("100%_x");
        assertThat(have("no such")).isEmpty();
        String name = await(store.find("other")).orElseThrow().name();
        assertThat(have(name.toUpperCase(Locale.ROOT))).contains("other");
    }

    private List<String> have(String text) {
        RunQuery query = new RunQuery(Set.of(), 9, Optional.empty(), Optional.empty(), Optional.of(text));
        return await(store.list(query)).runs().stream().map(RunRow::runId).toList();
    }

    private List<String> beginWith(String prefix) {
        RunQuery query = new RunQuery(Set.of(), 9, Optional.empty(), Optional.of(prefix));
        return await(store.list(query)).runs().stream().map(RunRow::runId).toList();
    }

    @Test
    void remembersWhichRunAKeyHasCreated() {
        await(store.append(withKey(created("run-1"), "key-1")));

        Throwable refused = failure(store.append(withKey(created("run-2"), "key-1")));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        KeyTakenException.class,
                        taken -> assertThat(taken.runId()).isEqualTo("run-1"));
        assertThat(await(store.runOfKey("key-1"))).contains("run-1");
        assertThat(await(store.runOfKey("key-2"))).isEmpty();
        assertThat(await(store.find("run-2"))).isEmpty();
        assertThat(await(store.lastPosition())).isEqualTo(1);
    }

    @Test
    void keepsReceiptsInTheirOrder() {
        await(store.append(created("run-1")));
        await(store.addReceipt("run-1", "{\"outcome\":\"survivors\"}"));
        await(store.addReceipt("run-1", "{\"outcome\":\"gone\"}"));

        assertThat(await(store.receipts("run-1", 0)))
                .extracting(StoredReceipt::json)
                .containsExactly("{\"outcome\":\"survivors\"}", "{\"outcome\":\"gone\"}");
        assertThat(await(store.receipts("unknown", 0))).isEmpty();
    }

    @Test
    void oneReadOfReceiptsEndsByBytesAndTheNextOneContinuesBehindIt() {
        await(store.append(created("run-1")));
        List<String> kept = Stream.of("a", "b", "c")
                .map(each -> "{\"outcome\":\"" + each.repeat(EventStore.READ_BYTES * 2 / 3) + "\"}")
                .toList();
        await(store.append(created("run-2")));
        kept.forEach(receipt -> {
            await(store.addReceipt("run-1", receipt));
            await(store.addReceipt("run-2", "{}"));
        });

        List<StoredReceipt> first = await(store.receipts("run-1", 0));
        List<StoredReceipt> second = await(store.receipts("run-1", first.get(1).id()));
        assertThat(first.stream().map(StoredReceipt::json).toList().equals(kept.subList(0, 2)))
                .isTrue();
        assertThat(second.stream().map(StoredReceipt::json).toList().equals(kept.subList(2, 3)))
                .isTrue();
        assertThat(await(store.receipts("run-1", second.get(0).id()))).isEmpty();
        assertThat(await(store.receipts("run-1", Long.MAX_VALUE))).isEmpty();
    }

    @Test
    void letsOneOfManyConcurrentAppendsToTheSamePlaceThrough() {
        List<Future<Appended>> rivals = IntStream.range(0, 20)
                .mapToObj(rival -> store.append(created("run-1")))
                .toList();

        long winners = rivals.stream().filter(this::succeeds).count();

        assertThat(winners).isEqualTo(1);
        assertThat(await(store.events("run-1", 0, 100))).hasSize(1);
    }

    /** They may share one transaction or one statement. */
    @Test
    void whatIsRefusedTakesNothingWithItOfWhatWaitsBesideIt() {
        await(store.append(withEpoch(withKey(created("run-1"), "key"), 3)));
        Future<Appended> before = store.append(withEpoch(append("run-1", 1, 1), 3));
        Future<Appended> stale = store.append(withEpoch(append("run-1", 7, 1), 3));
        Future<Appended> fenced = store.append(withEpoch(append("run-1", 2, 1), 2));
        Future<Appended> taken = store.append(withKey(created("run-2"), "key"));
        Future<Appended> restored = store.restore(created("run-1"), List.of("{}"));
        Future<Appended> after = store.append(withEpoch(append("run-1", 2, 1), 3));

        assertThat(failure(stale)).isInstanceOf(StaleAppendException.class);
        assertThat(failure(fenced)).isInstanceOf(StaleAppendException.class);
        assertThat(failure(taken)).isInstanceOf(KeyTakenException.class);
        assertThat(failure(restored)).isInstanceOf(StaleAppendException.class);
        assertThat(await(after).lastPosition()).isGreaterThan(await(before).lastPosition());
        assertThat(await(store.events("run-1", 0, 100))).hasSize(3);
        assertThat(await(store.receipts("run-1", 0))).isEmpty();
        assertThat(await(store.find("run-2"))).isEmpty();
    }

    @Test
    void answersOnTheCallersContextInTheOrderOfPositions() {
        Context caller = vertx.getOrCreateContext();
        List<Long> answers = new ArrayList<>();
        Promise<Boolean> all = Promise.promise();
        caller.runOnContext(now -> {
            List<Future<Long>> appends = IntStream.range(0, 200)
                    .mapToObj(run -> store.append(append("run-" + run, 0, 2)).map(Appended::lastPosition))
                    .toList();
            appends.forEach(append -> append.onSuccess(answers::add));
            Future.all(appends).map(done -> Vertx.currentContext() == caller).onComplete(all::handle);
        });

        assertThat(await(all.future())).isTrue();
        assertThat(answers).hasSize(200).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void deletesOnlyRunsThatHaveEnded() {
        await(store.append(withKey(withStatus(created("ended"), "completed", START), "key")));
        await(store.addReceipt("ended", "{}"));
        await(store.append(withStatus(created("open"), "paused", START)));
        long position = await(store.lastPosition());

        assertThat(await(store.delete("ended"))).isTrue();
        assertThat(await(store.delete("open"))).isFalse();
        assertThat(await(store.delete("unknown"))).isFalse();

        assertThat(await(store.load("ended"))).isEmpty();
        assertThat(await(store.receipts("ended", 0))).isEmpty();
        assertThat(await(store.runOfKey("key"))).isEmpty();
        assertThat(await(store.eventsAfter(0, 100))).hasSize(1);
        assertThat(await(store.load("open"))).isPresent();
        assertThat(await(store.append(created("later"))).lastPosition()).isGreaterThan(position);
    }

    @Test
    void namesOldEndedRunsButNotTheNewest() {
        for (int run = 1; run <= 4; run++) {
            String status = run == 2 ? "paused" : "stopped";
            await(store.append(withStatus(created("run-" + run), status, START.plusSeconds(run))));
        }
        Instant tomorrow = START.plus(Duration.ofDays(1));

        assertThat(prunable(START, 0)).isEmpty();
        assertThat(prunable(tomorrow, 1)).containsExactly("run-1", "run-3");
        assertThat(prunable(tomorrow, 9)).isEmpty();
    }

    private List<String> prunable(Instant before, int keep) {
        RunPage page = await(store.prunable(before, keep, Optional.empty(), 9));
        assertThat(page.nextCursor()).isEmpty();
        return page.runs().stream().map(RunRow::runId).toList();
    }

    @Test
    void namesOldEndedRunsPageByPage() {
        Instant tomorrow = START.plus(Duration.ofDays(1));
        for (int run = 1; run <= 5; run++) {
            await(store.append(withStatus(created("run-" + run), "stopped", START)));
        }

        RunPage first = await(store.prunable(tomorrow, 1, Optional.empty(), 2));
        assertThat(first.runs()).extracting(RunRow::runId).containsExactly("run-1", "run-2");
        await(store.delete("run-2"));
        RunPage second = await(store.prunable(tomorrow, 1, first.nextCursor(), 2));
        assertThat(second.runs()).extracting(RunRow::runId).containsExactly("run-3", "run-4");
        assertThat(second.nextCursor()).isEmpty();
    }

    @Test
    void restoresARunWithItsReceiptsOrNothingOfIt() {
        AppendEvents history = withSnapshot(append("run-1", 0, 3), "{}");

        await(store.restore(history, List.of("{\"outcome\":\"gone\"}")));

        assertThat(await(store.events("run-1", 0, 10))).hasSize(3);
        assertThat(await(store.receipts("run-1", 0)))
                .extracting(StoredReceipt::json)
                .containsExactly("{\"outcome\":\"gone\"}");
        assertThat(failure(store.restore(history, List.of("{}")))).isInstanceOf(StaleAppendException.class);
        assertThat(await(store.receipts("run-1", 0))).hasSize(1);
    }

    /** What a database's own types for times, numbers and JSON would change, and what it may refuse as text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"number\":1.10,\"large\":12345678901234567890123,\"tiny\":1E-400,\"b\":1,\"a\":2}",
                "{\"nul\":\"a\\u0000b\",\"emoji\":\"\uD83D\uDE00\",\"line\":\"\u2028\"}",
                "{\"a\":1,\"nested\":{\"z\":[null,true,\"\"]}}"
            })
    void givesBackDataAsItWasWritten(String data) throws IOException {
        StoredEvent event =
                new StoredEvent("run-1", 1, START.plusNanos(123_456_789), "notice", 1, Json.MAPPER.readTree(data));
        await(store.append(single(event)));

        StoredEvent found = await(store.events("run-1", 0, 1)).get(0).event();

        assertThat(found.at()).isEqualTo(event.at());
        assertThat(found.data().toString()).isEqualTo(event.data().toString());
    }

    @Test
    void takesAnEventOfAMegabyteAndHalfACharacter() {
        TextNode large = TextNode.valueOf("x".repeat(1 << 20));
        TextNode half = TextNode.valueOf("half of a character: \uD800");
        await(store.append(single(new StoredEvent("large", 1, START, "notice", 1, large))));
        await(store.append(single(new StoredEvent("half", 1, START, "notice", 1, half))));

        assertThat(await(store.events("large", 0, 1)).get(0).event().data()).isEqualTo(large);
        assertThat(await(store.load("half")).orElseThrow().events()).hasSize(1);
    }

    private static AppendEvents single(StoredEvent event) {
        AppendEvents sample = created(event.runId());
        return new AppendEvents(event.runId(), 0, 1, List.of(event), sample.row(), Optional.empty(), Optional.empty());
    }

    /** A locale puts them in another order than the cursor of a page counts with: pages would overlap or skip. */
    @Test
    void pagesFollowTheBytesOfIdsWhateverTheLocale() {
        List<String> ids = List.of("a", "B", "_", "b", "A-1", "A_1", "Z");
        ids.forEach(runId -> await(store.append(created(runId))));

        List<String> paged = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            RunPage page = await(store.list(new RunQuery(Set.of(), 2, cursor)));
            page.runs().forEach(run -> paged.add(run.runId()));
            cursor = page.nextCursor();
        } while (cursor.isPresent());

        assertThat(paged)
                .containsExactlyElementsOf(
                        ids.stream().sorted(Comparator.reverseOrder()).toList());
    }

    /** Positions that are given out before a commit are passed over by who reads past them. */
    @Test
    void aFollowerOfTheFeedMissesNothingBesideManyWriters() {
        int writers = 8;
        int rounds = 25;
        List<Future<Void>> writing = IntStream.range(0, writers)
                .mapToObj(writer -> write("run-" + writer, 0, rounds))
                .toList();
        List<PositionedEvent> seen = new ArrayList<>();
        long last = 0;
        boolean more = true;
        while (more) {
            boolean written = Future.all(writing).isComplete();
            List<PositionedEvent> page = await(store.eventsAfter(last, 7));
            seen.addAll(page);
            last = page.isEmpty() ? last : page.get(page.size() - 1).position();
            more = !written || !page.isEmpty();
        }
        await(Future.all(writing));

        assertThat(seen).extracting(PositionedEvent::position).isSorted().doesNotHaveDuplicates();
        for (int writer = 0; writer < writers; writer++) {
            String runId = "run-" + writer;
            assertThat(seen.stream()
                            .filter(event -> event.event().runId().equals(runId))
                            .map(event -> event.event().sequence()))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, rounds * 2L).boxed().toList());
        }
    }

    private Future<Void> write(String runId, int written, int rounds) {
        return written == rounds
                ? Future.succeededFuture()
                : store.append(append(runId, written * 2L, 2)).compose(next -> write(runId, written + 1, rounds));
    }

    @Test
    void aRunThatIsRemovedWhileItIsReadIsThereWholeOrNotAtAll() {
        List<Future<Optional<StoredRun>>> reads = new ArrayList<>();
        for (int run = 0; run < 20; run++) {
            String runId = "run-" + run;
            await(store.append(withStatus(append(runId, 0, 20), "completed", START)));
            reads.add(store.load(runId));
            Future<Boolean> removed = store.delete(runId);
            reads.add(store.load(runId));
            assertThat(await(removed)).isTrue();
            reads.add(store.load(runId));
        }
        for (Future<Optional<StoredRun>> read : reads) {
            await(read).ifPresent(run -> assertThat(run.events()).hasSize(20));
        }
    }

    private static OutboxCursor cursor(String runId, long sequence, long pending, int tries) {
        return new OutboxCursor(new OutboxTarget(runId, 0), sequence, pending, tries);
    }

    @Test
    void theFirstKeyOfAnswersStays() {
        assertThat(await(store.answerKey(Optional.empty()))).isEmpty();
        assertThat(await(store.answerKey(Optional.of("one")))).contains("one");
        assertThat(await(store.answerKey(Optional.of("two")))).contains("one");
        assertThat(await(store.answerKey(Optional.empty()))).contains("one");
    }

    @Test
    void anOutboxBeginsOnce() {
        assertThat(await(store.outbox())).isEmpty();
        OutboxState start = new OutboxState(7, List.of(cursor("run-1", 3, 5, 2)));
        await(store.beginOutbox(start));
        await(store.beginOutbox(new OutboxState(9, List.of(cursor("run-2", 0, 1, 0)))));
        assertThat(await(store.outbox())).contains(start);
    }

    @Test
    void keepsPendingDeliveriesUntilTheyAreSent() {
        await(store.append(append("run-1", 0, 9)));
        await(store.beginOutbox(new OutboxState(0, List.of())));

        List<OutboxCursor> first = await(store.addPending(4, List.of(cursor("run-1", 3, 4, 0))));
        await(store.tried(cursor("run-1", 3, 4, 1)));
        List<OutboxCursor> second = await(store.addPending(8, List.of(cursor("run-1", 7, 8, 0))));
        List<OutboxCursor> again = await(store.addPending(8, List.of(cursor("run-1", 3, 4, 0))));

        assertThat(first).containsExactly(cursor("run-1", 3, 4, 0));
        assertThat(second).containsExactly(cursor("run-1", 3, 8, 1));
        assertThat(again).containsExactly(cursor("run-1", 3, 8, 1));
        assertThat(await(store.outbox())).contains(new OutboxState(8, List.of(cursor("run-1", 3, 8, 1))));
    }

    @Test
    void whatWasTriedMovesTheCursorForwardOnly() {
        await(store.append(append("run-1", 0, 9)));
        await(store.beginOutbox(new OutboxState(0, List.of())));
        await(store.addPending(9, List.of(cursor("run-1", 3, 9, 0))));

        await(store.tried(cursor("run-1", 4, 4, 0)));
        await(store.tried(cursor("run-1", 4, 4, 0)));
        await(store.tried(cursor("run-1", 3, 4, 5)));

        assertThat(await(store.outbox()).orElseThrow().pending()).containsExactly(cursor("run-1", 4, 9, 0));
        await(store.tried(cursor("run-1", 9, 9, 0)));
        assertThat(await(store.outbox()).orElseThrow().pending()).isEmpty();
        assertThat(await(store.addPending(9, List.of(cursor("run-1", 3, 4, 0)))))
                .as("delivered already")
                .containsExactly(cursor("run-1", 9, 9, 0));
    }

    @Test
    void keepsPendingDeliveriesOfARemovedRun() {
        await(store.append(withStatus(created("ended"), "completed", START)));
        await(store.beginOutbox(new OutboxState(0, List.of())));
        await(store.addPending(1, List.of(cursor("ended", 0, 1, 0))));

        await(store.delete("ended"));
        assertThat(await(store.outbox()).orElseThrow().pending()).containsExactly(cursor("ended", 0, 1, 0));

        await(store.tried(cursor("ended", 1, 1, 0)));
        assertThat(await(store.outbox()).orElseThrow().pending()).isEmpty();
    }

    @Test
    void finishesWhatWaitsBeforeItClosesAndRefusesWhatComesLater() {
        List<Future<Appended>> waiting = IntStream.range(0, 50)
                .mapToObj(run -> opened.append(created("run-" + run)))
                .toList();

        await(opened.close());

        assertThat(waiting).allMatch(this::succeeds);
        assertThat(failure(store.append(created("late")))).isInstanceOf(StoreException.class);
        assertThat(failure(store.lastPosition())).isInstanceOf(StoreException.class);
        await(opened.close());
    }

    private boolean succeeds(Future<?> future) {
        return await(future.map(true).otherwise(false));
    }
}
