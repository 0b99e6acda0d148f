package dev.loopkeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.FireRules.Next;
import dev.loopkeeper.policy.Schedule.Missed;
import dev.loopkeeper.policy.Schedule.Overlap;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What schedules do at which time. */
class FireRulesTest {
    private static final Instant TWO = Instant.parse("2026-06-02T02:00:00Z");

    private static Schedule schedule(Overlap overlap, Missed missed, boolean enabled) {
        return new Schedule(
                "nightly",
                Optional.of("0 2 * * *"),
                ZoneOffset.UTC,
                "/m.yaml",
                Optional.empty(),
                Map.of(),
                overlap,
                missed,
                enabled,
                Optional.empty());
    }

    private static Schedule schedule() {
        return schedule(Overlap.SKIP, Missed.SKIP, true);
    }

    private static List<Fire> due(Schedule schedule, Instant since, Instant now) {
        return due(schedule, since, Instant.EPOCH, now);
    }

    private static List<Fire> due(Schedule schedule, Instant since, Instant begun, Instant now) {
        return FireRules.due(schedule, since, begun, now, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "SKIP, false, true, START",
        "SKIP, false, false, START",
        "SKIP, true, true, SKIP",
        "SKIP, true, false, SKIP",
        "QUEUE, false, true, START",
        "QUEUE, false, false, START",
        "QUEUE, true, true, WAIT",
        "QUEUE, true, false, SKIP",
        "REPLACE, false, true, START",
        "REPLACE, false, false, START",
        "REPLACE, true, true, REPLACE",
        "REPLACE, true, false, SKIP"
    })
    void aFireChecksForAnOpenRun(Overlap overlap, boolean running, boolean newest, Next next) {
        assertThat(FireRules.next(schedule(overlap, Missed.SKIP, true), running, newest))
                .isEqualTo(next);
    }

    @Test
    void firesOnceAtItsTime() {
        assertThat(due(schedule(), TWO.minusSeconds(60), TWO.minusMillis(1))).isEmpty();
        assertThat(due(schedule(), TWO.minusSeconds(60), TWO)).singleElement().satisfies(fire -> {
            assertThat(fire.at()).isEqualTo(TWO);
            assertThat(fire.outcome()).isEqualTo(Outcome.DUE);
            assertThat(fire.run().runKey()).isEqualTo("schedule/nightly/2026-06-02T02:00:00Z");
        });
        assertThat(due(schedule(), TWO, TWO.plusSeconds(1))).isEmpty();
    }

    @Test
    void aClockThatIsSetBackFiresNothingTwice() {
        assertThat(due(schedule(), TWO, TWO.minusSeconds(7200))).isEmpty();
        assertThat(due(schedule(), TWO, TWO.minusSeconds(1))).isEmpty();
        assertThat(due(schedule(), TWO, TWO.plusMillis(1))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"SKIP, MISSED", "ONCE, DUE"})
    void missedFiresAreRecordedAndTheNewestIsMadeUpFor(Missed missed, Outcome newest) {
        Schedule schedule = schedule(Overlap.SKIP, missed, true);

        assertThat(due(schedule, TWO.minusSeconds(1), TWO.plusSeconds(2 * 86400 + 3600)))
                .extracting(Fire::outcome)
                .containsExactly(Outcome.MISSED, Outcome.MISSED, newest);
    }

    @Test
    void aFireInTimeAfterMissedOnesIsDue() {
        assertThat(due(schedule(), TWO.minusSeconds(1), TWO.plusSeconds(86400 + 300)))
                .extracting(Fire::outcome)
                .containsExactly(Outcome.MISSED, Outcome.DUE);
        assertThat(due(schedule(), TWO.minusSeconds(1), TWO.plusSeconds(86400 + 301)))
                .extracting(Fire::outcome)
                .containsExactly(Outcome.MISSED, Outcome.MISSED);
    }

    @Test
    void aLongAbsenceRecordsTheNewestOnly() {
        assertThat(due(schedule(), Instant.parse("2020-01-01T00:00:00Z"), TWO))
                .hasSize(FireRules.MOST_MISSED)
                .last()
                .satisfies(fire -> assertThat(fire.at()).isEqualTo(TWO));
    }

    @Test
    void aDisabledScheduleFiresByHandOnly() {
        Schedule disabled = schedule(Overlap.SKIP, Missed.ONCE, false);

        assertThat(due(disabled, TWO.minusSeconds(1), TWO)).isEmpty();
        assertThat(FireRules.refusal(disabled, By.HAND)).isEmpty();
        assertThat(FireRules.refusal(disabled, By.HOOK)).isPresent();
        assertThat(FireRules.refusal(disabled, By.CRON)).isPresent();
        assertThat(FireRules.refusal(schedule(), By.HOOK)).isEmpty();
    }

    @Test
    void aFailedFireNeedsAttentionUntilALaterOneWorks() {
        Fire fire = Fire.due("nightly", TWO, "k", By.CRON, Optional.empty(), Map.of());
        Fire failed = fire.with(Outcome.FAILED, "no manifest");

        assertThat(FireRules.attention(List.of())).isEmpty();
        assertThat(FireRules.attention(List.of(failed))).contains("no manifest");
        assertThat(FireRules.attention(List.of(fire, fire.with(Outcome.SKIPPED, "open run"), failed)))
                .contains("no manifest");
        assertThat(FireRules.attention(List.of(fire.started("run-1"), failed))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"SKIP, -1, DUE", "SKIP, 0, DUE", "SKIP, 1, MISSED", "ONCE, 1, DUE"})
    void aFireBeforeTheServerBeganWasMissed(Missed missed, int begunSecondsAfter, Outcome outcome) {
        assertThat(due(
                        schedule(Overlap.SKIP, missed, true),
                        TWO.minusSeconds(1),
                        TWO.plusSeconds(begunSecondsAfter),
                        TWO.plusSeconds(2)))
                .extracting(Fire::outcome)
                .containsExactly(outcome);
    }

    private static Fire applied(Schedule schedule, String node) {
        return FireRules.applications(
                        new Policy(List.of(), List.of(), List.of(), List.of(schedule)),
                        1,
                        Map.of(),
                        TWO,
                        Optional.of(node))
                .get(0);
    }

    @Test
    void anApplicationIsRecordedForEachChangeOfAScheduleOnly() {
        Fire before = applied(schedule(), "n1");
        Policy same = new Policy(List.of(), List.of(), List.of(), List.of(schedule()));
        Policy without = new Policy(List.of(), List.of(), List.of(), List.of());

        assertThat(FireRules.applications(same, 2, Map.of("nightly", before), TWO, Optional.empty()))
                .isEmpty();
        List<Fire> removed = FireRules.applications(without, 2, Map.of("nightly", before), TWO, Optional.empty());
        assertThat(removed)
                .singleElement()
                .satisfies(change -> assertThat(change.at()).isEqualTo(TWO.plusMillis(1)));
        assertThat(FireRules.applications(without, 3, Map.of("nightly", removed.get(0)), TWO, Optional.empty()))
                .isEmpty();
        assertThat(FireRules.applications(same, 3, Map.of("nightly", removed.get(0)), TWO, Optional.empty()))
                .hasSize(1);
    }

    @Test
    void theNodeThatAppliedAPolicyRecordsItAndAnotherOneOnlyLater() {
        assertThat(FireRules.records(true, TWO, TWO)).isTrue();
        assertThat(FireRules.records(false, TWO, TWO.plusSeconds(5))).isFalse();
        assertThat(FireRules.records(false, TWO, TWO.plusSeconds(6))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "n1, true, true, true",
        "n1, true, false, false",
        "n2, true, true, true",
        "n1, false, false, true",
        "n2, false, true, false"
    })
    void theDutyNodeFiresSharedPoliciesAndTheApplierTheOthers(
            String node, boolean seenByAll, boolean duty, boolean own) {
        Optional<Fire> application = Optional.of(applied(schedule(), "n1"));

        assertThat(FireRules.isOwn(schedule(), application, Optional.of(node), seenByAll, duty))
                .isEqualTo(own);
        assertThat(FireRules.isOwn(
                        schedule(Overlap.SKIP, Missed.SKIP, false), application, Optional.of(node), seenByAll, duty))
                .as("of another definition")
                .isFalse();
    }
}
