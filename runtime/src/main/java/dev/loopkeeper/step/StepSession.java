package dev.loopkeeper.step;

import java.util.Optional;

/**
 * The session of an agent that a step ran in.
 *
 * @param id by which the agent's program finds it, e.g. {@code 7d3e2c10-9a51-4a0e-8f7e-2b1c5d6e7f80}
 * @param continuedFrom the step whose session it went on with; null where it began one
 */
public record StepSession(String id, Optional<String> continuedFrom) {}
