package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/**
 * Explains why a launch is a retry. If several kinds apply, the first in this order is reported: causes of a resume
 * precede.
 */
public enum FailureKind implements WireName {
    /** The work was interrupted: by its provider, a usage window, a crash, a lost node, a stop or a restart. */
    INTERRUPTED,
    /** The signal file was missing or invalid. */
    SIGNAL_INVALID,
    /** The agent's context window was full. */
    CONTEXT_OVERFLOW,
    /** An approved attempt of an item could not be merged. */
    MERGE_CONFLICT,
    /** The run paused for a person to review an anomaly. */
    ANOMALY,
    /** Iterations produced the same result. */
    NO_PROGRESS,
    /** The gate after the phase did not pass. */
    GATE_FAILED,
    /** A step failed or exceeded a time limit. */
    STEP_FAILED,
    /** The command that completes the loop did not exit with 0. */
    CHECK_FAILED,
    /** A verdict rejected the work. */
    REJECTED;
}
