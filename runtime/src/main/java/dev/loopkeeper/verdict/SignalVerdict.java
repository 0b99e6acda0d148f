package dev.loopkeeper.verdict;

import com.fasterxml.jackson.annotation.JsonValue;

/** A judgement of an item or a gate. */
public enum SignalVerdict {
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

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
