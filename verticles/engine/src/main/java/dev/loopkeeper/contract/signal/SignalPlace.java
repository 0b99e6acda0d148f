package dev.loopkeeper.contract.signal;

/**
 * Whose signal file is meant, and where it is.
 *
 * @param workspace absolute; the file may not be outside of it
 * @param file absolute, or relative to the workspace, e.g. {@code .loopkeeper/dev.json}
 */
public record SignalPlace(String runId, String stepId, String workspace, String file) {
    /** Unique in the data folder, e.g. {@code fix-1/build.3.dev.1}. */
    public String key() {
        return runId + "/" + stepId;
    }
}
