package dev.loopkeeper.contract.run;

import java.util.Set;

/**
 * Answer: the requested steps that have not ended.
 *
 * @param steps as {@code runId/stepId}
 * @param unreadable runs whose record cannot be read, so that any of their steps may be open
 */
public record OpenSteps(Set<String> steps, Set<String> unreadable) {
    /** Returns whether this step may be open. */
    public boolean mayHold(String runId, String stepId) {
        return unreadable.contains(runId) || steps.contains(runId + "/" + stepId);
    }
}
