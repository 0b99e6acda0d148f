package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** The category of an ending, which determines the run's status and whether a retry makes sense. */
public enum Category implements WireName {
    /** The work is done. */
    SUCCESS,
    /** The run reached a limit; it can continue with a higher one. */
    CAPACITY,
    /** A retry may succeed. */
    RETRYABLE,
    /** A person must act first. */
    FATAL;
}
