package dev.loopkeeper.step;

import java.util.Optional;

/**
 * The agent's session of a step.
 *
 * @param id session id of the agent's program, e.g. {@code 7d3e2c10-9a51-4a0e-8f7e-2b1c5d6e7f80}
 * @param continuedFrom the step whose session it continued; null when it began one
 */
public record StepSession(String id, Optional<String> continuedFrom) {}
