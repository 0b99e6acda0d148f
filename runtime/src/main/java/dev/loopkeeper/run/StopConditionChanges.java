package dev.loopkeeper.run;

import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Thresholds to put in the place of the present ones; what is absent stays. Zero turns one off. */
public record StopConditionChanges(
        OptionalDouble maxRetryRate,
        OptionalDouble maxRejectRate,
        OptionalInt maxConsecutiveFails,
        OptionalInt circuitBreaker,
        OptionalInt minAttempted) {
    /** Everything stays. */
    public static final StopConditionChanges NONE = new StopConditionChanges(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty());

    /** The thresholds with these changes laid over them. */
    public StopConditionLimits over(StopConditionLimits present) {
        return new StopConditionLimits(
                maxRetryRate.orElse(present.maxRetryRate()),
                maxRejectRate.orElse(present.maxRejectRate()),
                maxConsecutiveFails.orElse(present.maxConsecutiveFails()),
                circuitBreaker.orElse(present.circuitBreaker()),
                minAttempted.orElse(present.minAttempted()));
    }
}
