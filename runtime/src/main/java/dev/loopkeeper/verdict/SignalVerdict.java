package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** A judgement of an item or a gate. */
public enum SignalVerdict implements WireName {
    /** Good. */
    APPROVED("approved"),
    /** Not good; try again. */
    REJECTED("rejected"),
    /** It could not be done. */
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
