package dev.loopkeeper.manifest;

/**
 * When work is tried again, and when a run stops trying.
 *
 * @param transientErrors written {@code transient}: provider, network and session-start errors
 * @param overflow how often an agent of a phase whose context window was full is launched in a fresh session, 0 to 3
 */
public record RetryPolicy(
        BackoffSpec backoff, TransientSpec transientErrors, StopConditionLimits stopConditions, int overflow) {
    /** Fresh sessions after a full context window. */
    public static final int OVERFLOW = 1;

    /** The defaults of every part. */
    public static final RetryPolicy DEFAULTS =
            new RetryPolicy(BackoffSpec.DEFAULTS, TransientSpec.DEFAULTS, StopConditionLimits.DEFAULTS, OVERFLOW);
}
