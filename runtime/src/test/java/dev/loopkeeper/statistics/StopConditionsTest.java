package dev.loopkeeper.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StopConditionsTest {
    /**
     * Counts (approved, rejected, failed, retried, totalAttempts, consecutiveFails), limits (retry rate, reject rate,
     * consecutive fails, circuit breaker, min attempted), and what holds, most important first.
     */
    @ParameterizedTest(name = "{index}: {0} {1} {2} {3} {4} {5} under {6} {7} {8} {9} {10} gives {11}")
    @CsvSource(delimiter = '|', textBlock = """
        # nothing was attempted
        0|0|0|0|0|0  | 0.5|0.3|3|50|3 | -
        0|0|0|0|0|0  | 0.5|0.3|3|50|0 | -
        0|0|0|0|0|0  | 0|0|0|0|0      | -
        # circuit breaker: reached is enough
        9|0|0|0|49|0 | 0.5|0.3|3|50|3 | -
        9|0|0|0|50|0 | 0.5|0.3|3|50|3 | CIRCUIT_BREAKER
        9|0|0|0|51|0 | 0.5|0.3|3|50|3 | CIRCUIT_BREAKER
        0|0|0|0|1|0  | 0.5|0.3|3|1|3  | CIRCUIT_BREAKER
        0|0|0|0|0|0  | 0.5|0.3|3|1|3  | -
        9|0|0|0|9999|0|0.5|0.3|3|0|3  | -
        0|0|0|0|50|0 | 0|0|0|50|0     | CIRCUIT_BREAKER
        # consecutive fails: reached is enough, and no minimum of units is asked for
        0|0|0|0|2|2  | 0.5|0.3|3|50|3 | -
        0|0|0|0|3|3  | 0.5|0.3|3|50|3 | CONSECUTIVE_FAILS
        0|0|0|0|4|4  | 0.5|0.3|3|50|3 | CONSECUTIVE_FAILS
        0|0|0|0|1|1  | 0.5|0.3|1|50|3 | CONSECUTIVE_FAILS
        0|0|0|0|1|0  | 0.5|0.3|1|50|3 | -
        0|0|0|0|9|9  | 0.5|0.3|0|50|3 | -
        9|0|0|0|20|3 | 0.5|0.3|3|50|3 | CONSECUTIVE_FAILS
        9|0|0|0|20|2 | 0.5|0.3|3|50|3 | -
        # reject rate: strictly above, whether rejected or failed
        7|3|0|0|10|0 | 0.5|0.3|9|50|3 | -
        6|4|0|0|10|0 | 0.5|0.3|9|50|3 | REJECT_RATE
        6|0|4|0|10|0 | 0.5|0.3|9|50|3 | REJECT_RATE
        6|2|2|0|10|0 | 0.5|0.3|9|50|3 | REJECT_RATE
        7|2|1|0|10|0 | 0.5|0.3|9|50|3 | -
        2|1|0|0|3|0  | 0.5|0.3|9|50|3 | REJECT_RATE
        3|1|0|0|4|0  | 0.5|0.3|9|50|3 | -
        1|1|0|0|2|0  | 0.5|0.5|9|50|2 | -
        1|2|0|0|3|0  | 0.5|0.5|9|50|2 | REJECT_RATE
        0|3|0|0|3|0  | 0.5|1|9|50|3   | -
        0|3|0|0|3|0  | 0.5|0.99|9|50|3| REJECT_RATE
        0|3|0|0|3|0  | 0.5|0|9|50|3   | -
        3|0|0|0|3|0  | 0.5|0.01|9|50|3| -
        99|1|0|0|100|0|0.5|0.01|9|0|3 | -
        98|2|0|0|100|0|0.5|0.01|9|0|3 | REJECT_RATE
        2|1|0|0|3|0  | 0.5|0.3333333333333333|9|50|3 | -
        # reject rate: from so many attempted units on
        0|2|0|0|2|0  | 0.5|0.3|9|50|3 | -
        0|3|0|0|3|0  | 0.5|0.3|9|50|3 | REJECT_RATE
        0|1|0|0|1|0  | 0.5|0.3|9|50|1 | REJECT_RATE
        0|1|0|0|1|0  | 0.5|0.3|9|50|0 | REJECT_RATE
        0|4|0|0|4|0  | 0.5|0.3|9|50|5 | -
        # retry rate: strictly above, whatever became of the unit
        4|0|0|2|6|0  | 0.5|0.3|9|50|3 | -
        3|0|0|2|5|0  | 0.5|0.3|9|50|3 | RETRY_RATE
        3|0|0|1|4|0  | 0.5|0.3|9|50|3 | -
        3|0|0|3|9|0  | 0.5|0.3|9|50|3 | RETRY_RATE
        2|0|0|2|4|0  | 0.5|0.3|9|50|3 | -
        3|0|0|3|9|0  | 0|0.3|9|50|3   | -
        3|0|0|3|9|0  | 1|0.3|9|50|3   | -
        4|0|0|1|5|0  | 0.25|0.3|9|50|3| -
        3|0|0|1|4|0  | 0.25|0.3|9|50|3| RETRY_RATE
        1|0|0|1|2|0  | 0.5|0.3|9|50|1 | RETRY_RATE
        # several at once, in the order of priority
        0|3|0|3|9|3  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER CONSECUTIVE_FAILS REJECT_RATE RETRY_RATE
        0|3|0|3|9|3  | 0.5|0.3|3|10|3 | CONSECUTIVE_FAILS REJECT_RATE RETRY_RATE
        0|3|0|3|9|2  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER REJECT_RATE RETRY_RATE
        3|0|0|3|9|3  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER CONSECUTIVE_FAILS RETRY_RATE
        0|3|0|1|9|3  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER CONSECUTIVE_FAILS REJECT_RATE
        0|3|0|3|9|0  | 0.5|0.3|3|50|3 | REJECT_RATE RETRY_RATE
        0|2|0|2|9|3  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER CONSECUTIVE_FAILS
        3|0|0|1|9|3  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER CONSECUTIVE_FAILS
        3|0|0|3|9|3  | 0.5|0.3|3|10|3 | CONSECUTIVE_FAILS RETRY_RATE
        3|0|0|3|9|0  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER RETRY_RATE
        0|3|0|0|9|0  | 0.5|0.3|3|9|3  | CIRCUIT_BREAKER REJECT_RATE
        0|0|3|0|3|3  | 0.5|0.3|3|50|3 | CONSECUTIVE_FAILS REJECT_RATE
        1|1|1|1|6|2  | 0.5|0.3|3|50|3 | REJECT_RATE
        1|1|1|2|6|2  | 0.5|0.7|3|50|3 | RETRY_RATE
        """)
    void whatHolds(
            int approved,
            int rejected,
            int failed,
            int retried,
            int totalAttempts,
            int consecutiveFails,
            double maxRetryRate,
            double maxRejectRate,
            int maxConsecutiveFails,
            int circuitBreaker,
            int minAttempted,
            String expected) {
        int attempted = approved + rejected + failed;
        RunStatistics counts = new RunStatistics(
                attempted,
                new RunStatistics.Ended(attempted, approved, rejected, failed, retried),
                totalAttempts,
                consecutiveFails);
        StopConditionLimits limits =
                new StopConditionLimits(maxRetryRate, maxRejectRate, maxConsecutiveFails, circuitBreaker, minAttempted);

        List<String> holding = StopConditions.holding(counts, limits).stream()
                .map(reason -> reason.condition().name())
                .toList();

        assertThat(String.join(" ", holding)).isEqualTo(expected.equals("-") ? "" : expected);
    }

    @Test
    void aReasonStatesTheValueAndTheThreshold() {
        RunStatistics counts = new RunStatistics(4, new RunStatistics.Ended(4, 2, 1, 1, 0), 4, 1);

        StopReason reason =
                StopConditions.holding(counts, StopConditionLimits.DEFAULTS).get(0);

        assertThat(reason.condition()).isEqualTo(StopCondition.REJECT_RATE);
        assertThat(reason.value()).isEqualTo(0.5);
        assertThat(reason.threshold()).isEqualTo(0.3);
        assertThat(reason.message()).isEqualTo("50% of the work units were rejected or failed; the threshold is 30%");
    }
}
