package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** The result of an iteration. */
public enum Determination implements WireName.InCapitals {
    /** The work is done. */
    SUCCESS,
    /** A part is done; the loop continues. */
    MILESTONE_SUCCESS,
    /** The iteration made progress. */
    PROGRESS,
    /** The iteration made no progress. */
    STALLED,
    /** A person should review the iteration. */
    ANOMALY;
}
