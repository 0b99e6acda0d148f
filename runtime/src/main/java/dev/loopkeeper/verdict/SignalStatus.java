package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** How far a step got. */
public enum SignalStatus implements WireName {
    /** To its end. */
    COMPLETED("completed"),
    /** Not all of it. */
    PARTIAL("partial"),
    /** It could not go on. */
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
