package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.List;

/**
 * Reads the stop conditions of a run; three thresholds have a second spelling. For a threshold that can be turned off,
 * null means 0, which is off.
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
            "max_consecutive_fails");

    static StopConditionLimits read(DocumentNode node) {
        return Fields.of(node, KEYS)
                .map(fields -> new StopConditionsReader(fields).limits())
                .orElse(StopConditionLimits.DEFAULTS);
    }

    private StopConditionLimits limits() {
        StopConditionLimits absent = StopConditionLimits.DEFAULTS;
        return new StopConditionLimits(
                rate("maxRetryRate", "max_retry_rate", absent.maxRetryRate()),
                rate("maxRejectRate", "max_reject_rate", absent.maxRejectRate()),
                count(fields.spelling("maxConsecutiveFails", "max_consecutive_fails"), absent.maxConsecutiveFails()),
                count("circuitBreaker", absent.circuitBreaker()),
                fields.whole("minAttempted", 0, absent.minAttempted()));
    }

    private double rate(String key, String other, double absent) {
        String used = fields.spelling(key, other);
        return fields.number(used, DocumentNode.Range.SHARE, fields.isNull(used) ? 0 : absent);
    }

    private int count(String key, int absent) {
        return fields.whole(key, 0, fields.isNull(key) ? 0 : absent);
    }
}
