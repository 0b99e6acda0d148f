package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.List;

/**
 * Reads the stop conditions of a run, in either spelling. For a threshold that can be turned off, null means 0, which
 * is off.
 */
record StopConditionsReader(Fields fields) {
    static final List<String> KEYS = List.of(
            "maxRetryRate",
            "maxRejectRate",
            "maxConsecutiveFails",
            "circuitBreaker",
            "minAttempted",
            "max_retry_rate",
            "max_reject_rate",
            "max_consecutive_fails",
            "circuit_breaker",
            "min_attempted");

    static StopConditionLimits read(DocumentNode node) {
        return Fields.of(node, KEYS)
                .map(fields -> new StopConditionsReader(fields).limits())
                .orElse(StopConditionLimits.DEFAULTS);
    }

    private StopConditionLimits limits() {
        StopConditionLimits absent = StopConditionLimits.DEFAULTS;
        String minAttempted = fields.spelling("minAttempted", "min_attempted");
        return new StopConditionLimits(
                rate("maxRetryRate", "max_retry_rate", absent.maxRetryRate()),
                rate("maxRejectRate", "max_reject_rate", absent.maxRejectRate()),
                count("maxConsecutiveFails", "max_consecutive_fails", absent.maxConsecutiveFails()),
                count("circuitBreaker", "circuit_breaker", absent.circuitBreaker()),
                fields.whole(minAttempted, 0, absent.minAttempted()));
    }

    private double rate(String key, String other, double absent) {
        String used = fields.spelling(key, other);
        return fields.number(used, DocumentNode.Range.SHARE, fields.isNull(used) ? 0 : absent);
    }

    private int count(String key, String other, int absent) {
        String used = fields.spelling(key, other);
        return fields.whole(used, 0, fields.isNull(used) ? 0 : absent);
    }
}
