package dev.loopkeeper.statistics;

import dev.loopkeeper.manifest.StopConditionLimits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Changes of thresholds; an absent field keeps its threshold. Zero turns one off. */
@RecordBuilder
public record StopConditionChanges(
        OptionalDouble maxRetryRate,
        OptionalDouble maxRejectRate,
        OptionalInt maxConsecutiveFails,
        OptionalInt circuitBreaker,
        OptionalInt minAttempted) {
    /** Changes nothing. */
    public static final StopConditionChanges NONE =
            StopConditionChangesBuilder.builder().build();

    /** Applies the changes to the current thresholds. */
    public StopConditionLimits over(StopConditionLimits present) {
        return new StopConditionLimits(
                maxRetryRate.orElse(present.maxRetryRate()),
                maxRejectRate.orElse(present.maxRejectRate()),
                maxConsecutiveFails.orElse(present.maxConsecutiveFails()),
                circuitBreaker.orElse(present.circuitBreaker()),
                minAttempted.orElse(present.minAttempted()));
    }
}
