package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** Classifies the end of a step. */
public enum StepStatus implements WireName {
    /** The step ended with a valid result. */
    COMPLETED("completed"),
    /** The step was stopped. */
    CANCELLED("cancelled"),
    /** The step ended without a valid result. */
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
