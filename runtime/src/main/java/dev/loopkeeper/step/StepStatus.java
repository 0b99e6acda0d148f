package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonValue;

/** How a step ended, in one word. */
public enum StepStatus {
    /** It ended by itself with a valid result. */
    COMPLETED("completed"),
    /** It was stopped. */
    CANCELLED("cancelled"),
    /** It ended without a valid result. */
    ERROR("error");

    private final String wire;

    StepStatus(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
