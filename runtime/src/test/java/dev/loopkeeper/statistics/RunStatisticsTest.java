package dev.loopkeeper.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunStatisticsTest {
    private static final List<UnitOutcome> OUTCOMES = List.of(UnitOutcome.values());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34})
    void theirPartsAlwaysAddUp(long seed) {
        Random random = new Random(seed);
        RunStatistics counts = RunStatistics.NONE.plusUnits(200);
        int streak = 0;
        for (int unit = 0; unit < 200; unit++) {
            UnitOutcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
            int attempts = 1 + random.nextInt(3);
            for (int attempt = 0; attempt < attempts; attempt++) {
                counts = counts.plusAttempt();
            }
            RunStatistics before = counts;
            counts = counts.afterAttempt(outcome).plusEnded(outcome, attempts);
            streak = outcome == UnitOutcome.APPROVED ? 0 : streak + 1;

            assertThat(counts.ended().itemsAttempted())
                    .isEqualTo(counts.ended().itemsApproved()
                            + counts.ended().itemsRejected()
                            + counts.ended().itemsFailed());
            assertThat(counts.ended().itemsRetried())
                    .isBetween(0, counts.ended().itemsAttempted());
            assertThat(counts.totalAttempts())
                    .isGreaterThanOrEqualTo(counts.ended().itemsAttempted());
            assertThat(counts.retryRate()).isBetween(0.0, 1.0);
            assertThat(counts.rejectRate()).isBetween(0.0, 1.0);
            assertThat(counts.consecutiveFails()).isEqualTo(streak);
            assertThat(counts.minusEnded(outcome, attempts).withConsecutiveFails(before.consecutiveFails()))
                    .isEqualTo(before);
        }
        assertThat(counts.reset()).isEqualTo(RunStatistics.NONE.plusUnits(200));
    }

    @Test
    void withoutUnitsTheRatesAreZero() {
        assertThat(RunStatistics.NONE.retryRate()).isZero();
        assertThat(RunStatistics.NONE.rejectRate()).isZero();
    }
}
