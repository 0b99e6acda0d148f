package dev.loopkeeper.run.step;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalVerdict;

/** The verdict on an iteration. */
public enum Verdict implements WireName.InCapitals {
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

    /** The verdict of a signal that judges an item. */
    public static Verdict of(SignalVerdict verdict) {
        return of(UnitOutcome.valueOf(verdict.name()));
    }

    /** The verdict of a signal that judges an iteration. */
    public static Verdict of(Determination determination) {
        return valueOf(determination.name());
    }

    /** What it says of the unit of work. */
    public UnitOutcome outcome() {
        return switch (this) {
            case SUCCESS, MILESTONE_SUCCESS, PROGRESS -> UnitOutcome.APPROVED;
            case STALLED -> UnitOutcome.REJECTED;
            case ANOMALY, FAILED -> UnitOutcome.FAILED;
        };
    }
}
