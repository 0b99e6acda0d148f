package dev.loopkeeper.statistics;

import dev.loopkeeper.manifest.StopConditionLimits;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Finds the exceeded thresholds: a rate above its threshold, a count at its threshold. A threshold of 0 is off. */
public final class StopConditions {
    private StopConditions() {}

    /** Every condition that applies, most important first; empty when the run may continue. */
    public static List<StopReason> holding(RunStatistics counts, StopConditionLimits limits) {
        List<StopReason> holding = new ArrayList<>();
        count(holding, StopCondition.CIRCUIT_BREAKER, counts.totalAttempts(), limits.circuitBreaker());
        count(holding, StopCondition.CONSECUTIVE_FAILS, counts.consecutiveFails(), limits.maxConsecutiveFails());
        if (counts.ended().itemsAttempted() >= limits.minAttempted()) {
            rate(holding, StopCondition.REJECT_RATE, counts.rejectRate(), limits.maxRejectRate());
            rate(holding, StopCondition.RETRY_RATE, counts.retryRate(), limits.maxRetryRate());
        }
        return holding;
    }

    private static void count(List<StopReason> holding, StopCondition condition, int value, int threshold) {
        if (threshold > 0 && value >= threshold) {
            String message = value
                    + (condition == StopCondition.CIRCUIT_BREAKER
                            ? " agents were launched; the circuit breaker allows "
                            : " attempts in a row had no success; the threshold is ")
                    + threshold;
            holding.add(new StopReason(condition, value, threshold, message));
        }
    }

    private static void rate(List<StopReason> holding, StopCondition condition, double value, double threshold) {
        if (threshold > 0 && value > threshold) {
            String message = percent(value)
                    + (condition == StopCondition.REJECT_RATE
                            ? " of the work units were rejected or failed"
                            : " of the work units needed more than one attempt")
                    + "; the threshold is " + percent(threshold);
            holding.add(new StopReason(condition, value, threshold, message));
        }
    }

    private static String percent(double share) {
        return BigDecimal.valueOf(share * 100)
                        .setScale(2, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }
}
