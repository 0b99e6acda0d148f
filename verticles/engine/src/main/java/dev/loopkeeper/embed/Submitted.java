package dev.loopkeeper.embed;

import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.view.Run;
import java.util.List;

/**
 * Result of a submission.
 *
 * @param run the run when it was recorded
 * @param created false when an earlier request with the same idempotency key created the run
 * @param warnings settings that are valid but probably not intended
 */
public record Submitted(Run run, boolean created, List<ManifestProblem> warnings) {
    /** Returns the id of the run. */
    public String runId() {
        return run.runId();
    }
}
