package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** How a step ended, in one word. */
public enum StepStatus implements WireName {
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

    @Override
    public String wire() {
        return wire;
    }
}
