package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** A judgement of an item or a gate. */
public enum SignalVerdict implements WireName {
    APPROVED("approved"),
    /** The work must be repeated. */
    REJECTED("rejected"),
    /** The work could not be done. */
    FAILED("failed");

    private final String wire;

    SignalVerdict(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
