package dev.loopkeeper.manifest;

/**
 * Determines when Loopkeeper retries work and when it stops the run.
 *
 * @param transientErrors written {@code transient}: provider, network and session-start errors
 * @param overflow fresh sessions for an agent of a phase whose context window was full, 0 to 3
 */
public record RetryPolicy(
        BackoffSpec backoff, TransientSpec transientErrors, StopConditionLimits stopConditions, int overflow) {
    /** Default number of fresh sessions after a full context window. */
    public static final int OVERFLOW = 1;

    public static final RetryPolicy DEFAULTS =
            new RetryPolicy(BackoffSpec.DEFAULTS, TransientSpec.DEFAULTS, StopConditionLimits.DEFAULTS, OVERFLOW);
}
