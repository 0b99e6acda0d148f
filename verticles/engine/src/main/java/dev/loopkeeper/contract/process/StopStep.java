package dev.loopkeeper.contract.process;

import dev.loopkeeper.step.ExitCause;

/**
 * Command: end the process tree of a step. Answered by its {@link KillReceipt} once no process is left or the rest
 * cannot be killed; with an empty receipt if the step is gone already. Safe to repeat.
 *
 * @param now skips the grace, also that of a stop in progress
 * @param why who requested it
 */
public record StopStep(String runId, String stepId, boolean now, ExitCause why) {}
