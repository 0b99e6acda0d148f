package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** The result of a planning task. */
public enum Readiness implements WireName.InCapitals {
    /** Work can start. */
    READY,
    /** The plan has gaps. */
    NEEDS_REFINEMENT,
    /** An obstacle prevents the work. */
    BLOCKED,
    /** No work is left. */
    SCOPE_COMPLETE;
}
