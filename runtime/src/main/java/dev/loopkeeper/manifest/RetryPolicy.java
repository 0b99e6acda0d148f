package dev.loopkeeper.manifest;

/**
 * When work is tried again, and when a run stops trying.
 *
 * @param transientErrors written {@code transient}: provider, network and session-start errors
 */
public record RetryPolicy(BackoffSpec backoff, TransientSpec transientErrors, StopConditionLimits stopConditions) {
    /** The defaults of every part. */
    public static final RetryPolicy DEFAULTS =
            new RetryPolicy(BackoffSpec.DEFAULTS, TransientSpec.DEFAULTS, StopConditionLimits.DEFAULTS);
}
