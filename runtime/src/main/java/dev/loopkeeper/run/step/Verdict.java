package dev.loopkeeper.run.step;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.statistics.UnitOutcome;

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

    /** The verdict on an attempt with this outcome. */
    public static Verdict of(UnitOutcome outcome) {
        return switch (outcome) {
            case APPROVED -> SUCCESS;
            case REJECTED -> STALLED;
            case FAILED -> FAILED;
        };
    }

    @Override
    public String wire() {
        return name();
    }
}
