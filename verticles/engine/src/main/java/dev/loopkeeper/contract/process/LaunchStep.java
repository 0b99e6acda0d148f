package dev.loopkeeper.contract.process;

import dev.loopkeeper.step.StepSpec;

/**
 * Command: launch a step, or adopt the one that an earlier runtime launched under the same id. Safe to repeat: a step
 * is never launched twice. Answered by {@link StepLaunched}; its end is published as {@link StepExited}.
 *
 * @param recovered whether an earlier runtime requested the step and may have launched it
 */
public record LaunchStep(StepSpec step, boolean recovered) {}
