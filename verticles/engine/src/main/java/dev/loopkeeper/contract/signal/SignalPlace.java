package dev.loopkeeper.contract.signal;

/**
 * The signal file of a step.
 *
 * @param workspace absolute; must contain the file
 * @param file absolute, or relative to the workspace, e.g. {@code .loopkeeper/dev.json}
 */
public record SignalPlace(String runId, String stepId, String workspace, String file) {
    /** Returns a key that is unique in the data folder, e.g. {@code fix-1/build.3.dev.1}. */
    public String key() {
        return runId + "/" + stepId;
    }
}
