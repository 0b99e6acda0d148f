package dev.loopkeeper.data;

import java.nio.file.Path;

/** Builds the paths of runs in a data folder; the files need not exist. The ids have been checked to be plain. */
public final class RunPaths {
    private RunPaths() {}

    /** {@code <data>/runs}, with a folder per run. */
    public static Path runs(Path data) {
        return data.resolve("runs");
    }

    /** {@code <data>/runs/<runId>}. */
    public static Path run(Path data, String runId) {
        return runs(data).resolve(runId);
    }

    /** {@code <data>/runs/<runId>/steps}, with a folder per step. */
    public static Path steps(Path data, String runId) {
        return run(data, runId).resolve("steps");
    }

    /** {@code <data>/runs/<runId>/steps/<stepId>}. */
    public static Path step(Path data, String runId, String stepId) {
        return steps(data, runId).resolve(stepId);
    }
}
