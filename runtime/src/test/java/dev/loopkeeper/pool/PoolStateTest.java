package dev.loopkeeper.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolStateTest {
    private static final String SLOT = "task/build///0";
    private static final Instant RESET = at(100);

    private PoolState pool = PoolState.EMPTY;
    private OptionalInt places = OptionalInt.of(1);

    private static Instant at(long second) {
        return Instant.ofEpochSecond(1_000_000 + second);
    }

    private void ask(long second, String runId, int priority) {
        input(new PoolInput.Claims(at(second), runId, priority, Set.of(), Set.of(SLOT)));
    }

    private void ask(long second, String runId) {
        ask(second, runId, 0);
    }

    private void launched(long second, String runId) {
        input(new PoolInput.Claims(at(second), runId, 0, Set.of(SLOT), Set.of()));
    }

    private void over(long second, String runId) {
        input(new PoolInput.Claims(at(second), runId, 0, Set.of(), Set.of()));
    }

    private void limit(long second, String runId, Instant until, Optional<Instant> returnsAt) {
        input(new PoolInput.Limit(at(second), runId, "build.dev.1", until, "usage limit of dev", returnsAt));
    }

    private void served(long second, String runId) {
        input(new PoolInput.Served(at(second), runId, SLOT));
    }

    private void due(long second) {
        input(new PoolInput.Due(at(second)));
    }

    private void input(PoolInput input) {
        pool = pool.after(input, places);
    }

    private boolean granted(String runId) {
        return pool.isGranted(runId, SLOT);
    }

    /** Three runs wait after the first one met a limit. */
    private void coolDown() {
        ask(0, "met");
        launched(1, "met");
        ask(2, "b");
        ask(3, "c");
        limit(4, "met", RESET, Optional.of(RESET));
        over(5, "met");
    }

    @Test
    void aFreePlaceIsGivenAtOnce() {
        ask(0, "a");

        assertThat(granted("a")).isTrue();
        assertThat(pool.used()).isEqualTo(1);
        assertThat(pool.waitingRuns()).isEmpty();
    }

    @Test
    void theLongestWaitingClaimIsNext() {
        ask(0, "a");
        ask(1, "b");
        ask(2, "c");
        assertThat(pool.waitingRuns()).containsExactly("b", "c");

        over(3, "a");

        assertThat(granted("b")).isTrue();
        assertThat(granted("c")).isFalse();
    }

    @Test
    void aHigherPriorityIsNext() {
        ask(0, "a");
        ask(1, "b");
        ask(2, "c", 5);

        over(3, "a");

        assertThat(granted("c")).isTrue();
        assertThat(granted("b")).isFalse();
    }

    @Test
    void aRepeatedClaimKeepsItsTurnAndItsPlace() {
        ask(0, "a");
        ask(1, "b");
        ask(2, "c");
        ask(3, "b");
        launched(4, "a");
        assertThat(pool.used()).isEqualTo(1);

        over(5, "a");

        assertThat(granted("b")).isTrue();
    }

    @Test
    void adoptedAgentsKeepTheirPlacesBeyondTheLimit() {
        launched(0, "a");
        launched(0, "b");
        ask(1, "c");
        assertThat(pool.used()).isEqualTo(2);

        over(2, "a");
        assertThat(granted("c")).isFalse();
        over(3, "b");

        assertThat(granted("c")).isTrue();
    }

    @Test
    void morePlacesLetRunsContinueAtOnce() {
        IntStream.range(0, 5).forEach(number -> ask(number, "run-" + number));
        places = OptionalInt.of(3);
        due(10);
        assertThat(pool.used()).isEqualTo(3);

        places = OptionalInt.empty();
        due(11);

        assertThat(pool.used()).isEqualTo(5);
    }

    @Test
    void nothingIsLaunchedBeforeTheReset() {
        coolDown();
        assertThat(pool.coolDown().orElseThrow().until()).isEqualTo(RESET);

        due(99);

        assertThat(pool.used()).isZero();
        assertThat(pool.waitingRuns()).containsExactly("b", "c");
    }

    @Test
    void theRunThatMetTheLimitTriesFirst() {
        coolDown();
        due(100);
        assertThat(pool.used()).isZero();

        ask(101, "met");

        assertThat(granted("met")).isTrue();
        assertThat(pool.coolDown().orElseThrow().probe()).contains("met/" + SLOT);
    }

    @Test
    void theNextInOrderTriesWhereTheRunDoesNotReturn() {
        coolDown();

        due(106);

        assertThat(granted("b")).isTrue();
        assertThat(granted("c")).isFalse();
    }

    @Test
    void theNextInOrderTriesAtOnceWhereTheRunHasLeft() {
        coolDown();
        input(new PoolInput.Left(at(6), "met"));

        due(100);

        assertThat(granted("b")).isTrue();
    }

    @Test
    void aRunThatPausesForAPersonIsNotWaitedFor() {
        ask(0, "met");
        ask(1, "b");
        limit(2, "met", RESET, Optional.empty());
        over(3, "met");

        due(100);

        assertThat(granted("b")).isTrue();
    }

    @Test
    void oneProbeTriesAlone() {
        places = OptionalInt.empty();
        coolDown();
        over(6, "b");
        over(6, "c");
        ask(7, "b");
        ask(8, "c");

        due(106);

        assertThat(pool.used()).isEqualTo(1);
    }

    @Test
    void theOthersFollowAProbeThatIsServed() {
        places = OptionalInt.empty();
        ask(0, "met");
        limit(1, "met", RESET, Optional.of(RESET));
        over(2, "met");
        ask(3, "b");
        ask(3, "c");
        ask(100, "met");
        assertThat(pool.used()).isEqualTo(1);

        served(103, "b");
        assertThat(pool.used()).isEqualTo(1);
        served(104, "met");

        assertThat(pool.used()).isEqualTo(3);
        assertThat(pool.coolDown()).isEmpty();
    }

    @Test
    void theOthersFollowAProbeThatLives() {
        coolDown();
        places = OptionalInt.of(2);
        ask(100, "met");
        launched(101, "met");
        assertThat(pool.probeProvenAt()).contains(at(160));
        due(159);
        assertThat(pool.used()).isEqualTo(1);

        due(160);

        assertThat(pool.used()).isEqualTo(2);
        assertThat(pool.coolDown()).isEmpty();
    }

    @Test
    void afterAFailedProbeTheNextOneTriesAlone() {
        places = OptionalInt.empty();
        ask(0, "met");
        limit(1, "met", RESET, Optional.of(RESET));
        over(2, "met");
        ask(3, "b");
        ask(4, "c");
        ask(100, "met");

        over(110, "met");

        assertThat(granted("b")).isTrue();
        assertThat(granted("c")).isFalse();
        assertThat(pool.coolDown()).isPresent();
    }

    @Test
    void theLatestKnownTimeCounts() {
        coolDown();
        limit(6, "b", at(50), Optional.of(at(50)));
        assertThat(pool.coolDown().orElseThrow().until()).isEqualTo(RESET);

        limit(7, "b", at(200), Optional.of(at(200)));

        assertThat(pool.coolDown().orElseThrow().until()).isEqualTo(at(200));
        assertThat(pool.coolDown().orElseThrow().runId()).isEqualTo("b");
        due(150);
        assertThat(pool.used()).isZero();
    }

    @Test
    void aPastResetBeginsNoCoolDown() {
        ask(0, "a");
        limit(10, "a", at(9), Optional.empty());

        assertThat(pool.coolDown()).isEmpty();
    }

    @Test
    void anOlderProbeProvesNothingBeforeANewerReset() {
        places = OptionalInt.of(2);
        ask(0, "met");
        ask(0, "other");
        limit(1, "met", RESET, Optional.of(RESET));
        over(2, "met");
        ask(100, "met");
        limit(101, "other", at(200), Optional.empty());

        served(102, "met");

        assertThat(pool.coolDown().orElseThrow().until()).isEqualTo(at(200));
        assertThat(pool.coolDown().orElseThrow().probe()).isEmpty();
    }

    @Test
    void aPersonEndsTheCoolDown() {
        coolDown();

        input(new PoolInput.Cleared(at(6)));

        assertThat(granted("b")).isTrue();
        assertThat(pool.coolDown()).isEmpty();
    }

    @Test
    void aRunThatLeavesGivesEverythingBack() {
        ask(0, "a");
        ask(1, "b");

        input(new PoolInput.Left(at(2), "a"));

        assertThat(pool.claims().keySet()).containsExactly("b/" + SLOT);
        assertThat(granted("b")).isTrue();
    }

    @Test
    void theJsonHoldsTheWholeState() throws JsonProcessingException {
        coolDown();
        ask(100, "met");

        String json = Json.MAPPER.writeValueAsString(pool);

        assertThat(Json.MAPPER.readValue(json, PoolState.class)).isEqualTo(pool);
    }
}
