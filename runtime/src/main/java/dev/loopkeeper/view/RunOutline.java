package dev.loopkeeper.view;

import dev.loopkeeper.run.RunStatus;
import java.util.Optional;

/**
 * The outline of a run, which a start reads for thousands of runs.
 *
 * @param sequence of its newest event
 * @param atRest whether the run does nothing until a person or client resumes it
 * @param workspace absolute path; absent in records of older versions
 */
public record RunOutline(String runId, RunStatus status, long sequence, boolean atRest, Optional<String> workspace) {
    /** Whether the run is paused until a person acts. */
    public boolean waitsForPerson() {
        return atRest && status == RunStatus.PAUSED;
    }
}
