package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** The result of a planning task. */
public enum Readiness implements WireName {
    /** Work can start. */
    READY("READY"),
    /** The plan has gaps. */
    NEEDS_REFINEMENT("NEEDS_REFINEMENT"),
    /** An obstacle prevents the work. */
    BLOCKED("BLOCKED"),
    /** Nothing is left to do. */
    SCOPE_COMPLETE("SCOPE_COMPLETE");

    private final String wire;

    Readiness(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
