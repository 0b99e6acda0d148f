package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.BackoffSpec;
import dev.loopkeeper.manifest.RetryPolicy;
import dev.loopkeeper.manifest.StopConditionLimits;
import dev.loopkeeper.manifest.TransientSpec;
import java.time.Duration;
import java.util.List;

/** Reads the retry policy and the stop conditions. */
final class RetryReader {
    static final List<String> KEYS = List.of("backoff", "transient", "overflow", "stopConditions", "stop_conditions");
    static final List<String> BACKOFF_KEYS = List.of("initial", "factor", "max", "jitter");
    static final List<String> TRANSIENT_KEYS = List.of("max", "wait", "automatic");
    static final List<String> STOP_KEYS = List.of(
            "maxRetryRate",
            "maxRejectRate",
            "maxConsecutiveFails",
            "circuitBreaker",
            "minAttempted",
            "max_retry_rate",
            "max_reject_rate",
            "max_consecutive_fails");

    private static final DocumentNode.Range FACTOR = DocumentNode.Range.from(1, 1000);

    private static final int MOST_OVERFLOWS = 3;

    private RetryReader() {}

    static RetryPolicy read(DocumentNode node) {
        return Fields.of(node, KEYS).map(RetryReader::policy).orElse(RetryPolicy.DEFAULTS);
    }

    private static RetryPolicy policy(Fields fields) {
        String stopConditions = fields.spelling("stopConditions", "stop_conditions");
        return new RetryPolicy(
                fields.at("backoff")
                        .flatMap(node -> Fields.of(node, BACKOFF_KEYS))
                        .map(RetryReader::backoff)
                        .orElse(BackoffSpec.DEFAULTS),
                fields.at("transient")
                        .flatMap(node -> Fields.of(node, TRANSIENT_KEYS))
                        .map(RetryReader::transientErrors)
                        .orElse(TransientSpec.DEFAULTS),
                fields.at(stopConditions)
                        .flatMap(node -> Fields.of(node, STOP_KEYS))
                        .map(RetryReader::stopConditions)
                        .orElse(StopConditionLimits.DEFAULTS),
                fields.whole("overflow", 0, MOST_OVERFLOWS, RetryPolicy.OVERFLOW));
    }

    private static BackoffSpec backoff(Fields fields) {
        BackoffSpec absent = BackoffSpec.DEFAULTS;
        BackoffSpec backoff = new BackoffSpec(
                fields.duration("initial", Duration.ZERO).orElse(absent.initial()),
                fields.number("factor", FACTOR, absent.factor()),
                fields.duration("max", Duration.ZERO).orElse(absent.max()),
                fields.number("jitter", DocumentNode.Range.SHARE, absent.jitter()));
        if (backoff.max().compareTo(backoff.initial()) < 0) {
            fields.map().wrong("max is shorter than initial; raise max or lower initial");
        }
        return backoff;
    }

    private static TransientSpec transientErrors(Fields fields) {
        TransientSpec absent = TransientSpec.DEFAULTS;
        return new TransientSpec(
                fields.whole("max", 0, absent.max()),
                fields.choice("wait", Choices.WAIT, "auto").equals("auto"),
                fields.whole("automatic", 1, absent.automatic()));
    }

    private static StopConditionLimits stopConditions(Fields fields) {
        StopConditionLimits absent = StopConditionLimits.DEFAULTS;
        return new StopConditionLimits(
                rate(fields, "maxRetryRate", "max_retry_rate", absent.maxRetryRate()),
                rate(fields, "maxRejectRate", "max_reject_rate", absent.maxRejectRate()),
                count(
                        fields,
                        fields.spelling("maxConsecutiveFails", "max_consecutive_fails"),
                        absent.maxConsecutiveFails()),
                count(fields, "circuitBreaker", absent.circuitBreaker()),
                fields.whole("minAttempted", 0, absent.minAttempted()));
    }

    /** Null is 0, which turns it off. */
    private static double rate(Fields fields, String key, String other, double absent) {
        String used = fields.spelling(key, other);
        return fields.number(used, DocumentNode.Range.SHARE, fields.isNull(used) ? 0 : absent);
    }

    private static int count(Fields fields, String key, int absent) {
        return fields.whole(key, 0, fields.isNull(key) ? 0 : absent);
    }
}
