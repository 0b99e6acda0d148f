package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** How much of its work a step completed. */
public enum SignalStatus implements WireName {
    /** All of it. */
    COMPLETED("completed"),
    /** A part of it. */
    PARTIAL("partial"),
    /** The step could not continue. */
    BLOCKED("blocked");

    private final String wire;

    SignalStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
