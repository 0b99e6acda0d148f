package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** How much of its work a step completed. */
public enum SignalStatus implements WireName {
    /** All of it. */
    COMPLETED,
    /** A part of it. */
    PARTIAL,
    /** The step could not continue. */
    BLOCKED;
}
