package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** The cause of a stop. */
public enum StopCause implements WireName {
    /** A person. */
    OPERATOR("operator"),
    /** Loopkeeper received a termination signal. */
    SIGNAL("signal"),
    /** A threshold on the statistics. */
    STOP_CONDITION("stop-condition"),
    /** The run reached a budget limit. */
    BUDGET("budget"),
    /** Iterations produced the same result. */
    NO_PROGRESS("no-progress"),
    /** A loop's last iteration is done. */
    LIMIT("limit"),
    /** Another node took the run over. */
    NODE_LOST("node-lost");

    private final String wire;

    StopCause(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
