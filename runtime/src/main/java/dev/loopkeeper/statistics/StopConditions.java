package dev.loopkeeper.statistics;

import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the exceeded thresholds: a rate above its threshold, a count at its threshold. A threshold of 0 is off. */
public final class StopConditions {
    private StopConditions() {}

    /** Every condition that applies, most important first; empty when the run may continue. */
    public static List<StopReason> holding(RunStatistics counts, StopConditionLimits limits) {
        List<StopReason> holding = new ArrayList<>();
        count(holding, StopCondition.CIRCUIT_BREAKER, counts.totalAttempts(), limits.circuitBreaker());
        count(holding, StopCondition.CONSECUTIVE_FAILS, counts.consecutiveFails(), limits.maxConsecutiveFails());
        if (counts.itemsAttempted() >= limits.minAttempted()) {
            rate(holding, StopCondition.REJECT_RATE, counts.rejectRate(), limits.maxRejectRate());
            rate(holding, StopCondition.RETRY_RATE, counts.retryRate(), limits.maxRetryRate());
        }
        return holding;
    }

    private static void count(List<StopReason> holding, StopCondition condition, int value, int threshold) {
        if (threshold > 0 && value >= threshold) {
            String message = condition + " is " + value + ", the limit is " + threshold;
            holding.add(new StopReason(condition, value, threshold, message));
        }
    }

    private static void rate(List<StopReason> holding, StopCondition condition, double value, double threshold) {
        if (threshold > 0 && value > threshold) {
            String message =
                    String.format(Locale.ROOT, "%s is %.3f, above the limit of %s", condition, value, threshold);
            holding.add(new StopReason(condition, value, threshold, message));
        }
    }
}
