package dev.loopkeeper.run.step;

import dev.loopkeeper.json.WireName;

/** The reason for an automatic retry of a step. */
public enum RetryReason implements WireName {
    /** A transient error. */
    ERROR,
    /** The step left no valid signal. */
    SIGNAL,
    /** The agent's context window was full. */
    OVERFLOW,
    /** The session to continue does not exist. */
    SESSION;
}
