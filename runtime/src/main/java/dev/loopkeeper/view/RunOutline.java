package dev.loopkeeper.view;

import dev.loopkeeper.run.RunStatus;
import java.util.Optional;

/**
 * The little of a run that a start must know of each of thousands.
 *
 * @param sequence of its newest event
 * @param atRest whether nothing happens any more unless somebody asks for it
 * @param workspace absolute path; absent in what older versions wrote
 */
public record RunOutline(String runId, RunStatus status, long sequence, boolean atRest, Optional<String> workspace) {
    /** Whether it is paused until a person acts. */
    public boolean waitsForPerson() {
        return atRest && status == RunStatus.PAUSED;
    }
}
