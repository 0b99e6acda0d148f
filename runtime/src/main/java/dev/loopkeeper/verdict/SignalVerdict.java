package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** A judgement of an item or a gate. */
public enum SignalVerdict implements WireName {
    APPROVED,
    /** The work must be repeated. */
    REJECTED,
    /** The work could not be done. */
    FAILED;
}
