package dev.loopkeeper.contract.process;

import dev.loopkeeper.step.ExitCause;

/**
 * Command: end one step's whole process tree. Answered by its {@link KillReceipt} once nothing is left or what is
 * left will not die; a step that is already gone answers with an empty receipt. Safe to repeat.
 *
 * @param now skips the grace, also that of a stop already under way
 * @param why who asked
 */
public record StopStep(String runId, String stepId, boolean now, ExitCause why) {}
