package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** The broad cause of a step's failure. */
public enum ErrorCategory implements WireName {
    /** The model's provider refused or failed. */
    PROVIDER,
    /** The step exceeded its time limit. */
    TIMEOUT,
    /** The step exceeded its idle limit. */
    IDLE,
    /** The network failed between the agent and the provider. */
    NETWORK,
    /** An operator or a shutdown stopped the step. */
    ABORTED,
    /** The step could not be launched. */
    SESSION_FAILED,
    /** None of these. */
    UNKNOWN;
}
