package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** The cause of a stop. */
public enum StopCause implements WireName {
    /** A person. */
    OPERATOR,
    /** Loopkeeper received a termination signal. */
    SIGNAL,
    /** A threshold on the statistics. */
    STOP_CONDITION,
    /** The run reached a budget limit. */
    BUDGET,
    /** Iterations produced the same result. */
    NO_PROGRESS,
    /** A loop's last iteration is done. */
    LIMIT,
    /** Another node took the run over. */
    NODE_LOST;
}
