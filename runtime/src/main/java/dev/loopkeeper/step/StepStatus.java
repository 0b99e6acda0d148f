package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** Classifies the end of a step. */
public enum StepStatus implements WireName {
    /** The step ended with a valid result. */
    COMPLETED,
    /** The step was stopped. */
    CANCELLED,
    /** The step ended without a valid result. */
    ERROR;
}
