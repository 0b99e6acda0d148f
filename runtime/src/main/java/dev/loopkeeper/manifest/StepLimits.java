package dev.loopkeeper.manifest;

import java.time.Duration;
import java.util.Optional;

/**
 * Describes when and how a step of an agent is stopped.
 *
 * @param timeout hard limit of a step; absent: none
 * @param idleTimeout limit without output, signal-file or workspace change; zero: none; absent: as
 *     {@link AgentSpec#limitsInForce} says
 */
public record StepLimits(StopSpec stop, Optional<Duration> timeout, Optional<Duration> idleTimeout) {
    /** No limit. */
    public static final StepLimits NONE = new StepLimits(StopSpec.DEFAULTS, Optional.empty(), Optional.empty());
}
