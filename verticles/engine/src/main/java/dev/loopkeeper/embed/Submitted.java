package dev.loopkeeper.embed;

import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.view.Run;
import java.util.List;

/**
 * A manifest that has become a run.
 *
 * @param run as it stood when it was recorded
 * @param created false when its idempotency key had made it before
 * @param warnings what hardly anybody means, though it is no error
 */
public record Submitted(Run run, boolean created, List<ManifestProblem> warnings) {
    /** Of the run. */
    public String runId() {
        return run.runId();
    }
}
