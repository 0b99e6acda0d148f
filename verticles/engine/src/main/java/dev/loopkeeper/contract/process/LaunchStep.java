package dev.loopkeeper.contract.process;

import dev.loopkeeper.step.StepSpec;

/**
 * Command: launch one step, or take over the one that an earlier runtime launched under the same id. Safe to repeat:
 * a step is never launched twice. Answered by {@link StepLaunched}; the end comes as {@link StepExited}.
 *
 * @param recovered whether the step was asked for by an earlier runtime, which may have launched it
 */
public record LaunchStep(StepSpec step, boolean recovered) {}
