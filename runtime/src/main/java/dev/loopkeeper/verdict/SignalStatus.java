package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** Rates how much of its work a step completed. */
public enum SignalStatus implements WireName {
    /** The step completed its work. */
    COMPLETED,
    /** The step completed a part of its work. */
    PARTIAL,
    /** The step could not continue. */
    BLOCKED;
}
