package dev.loopkeeper.run.step;

import dev.loopkeeper.json.WireName;

/** The verdict on an iteration. */
public enum Verdict implements WireName {
    /** The work is done. */
    SUCCESS,
    /** A part is done. */
    MILESTONE_SUCCESS,
    /** The iteration made progress. */
    PROGRESS,
    /** The iteration made no progress. */
    STALLED,
    /** A person should review the iteration. */
    ANOMALY,
    /** A step of it failed. */
    FAILED;

    @Override
    public String wire() {
        return name();
    }
}
