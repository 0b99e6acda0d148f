package dev.loopkeeper.step;

import java.util.Optional;

/**
 * Identifies a step of a run.
 *
 * @param stepId unique in the run and safe as a folder name, e.g. {@code build.3.dev.1}
 * @param iteration counted within the run from 1; absent outside loops
 * @param item id of the work item; absent outside {@code each} phases
 * @param attempt from 1
 * @param agent name of the agent, the step's role
 */
public record StepIdentity(
        String runId,
        String stepId,
        String phase,
        Optional<Integer> iteration,
        Optional<String> item,
        int attempt,
        String agent) {}
