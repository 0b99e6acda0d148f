package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** Who or what asks a run to stop. */
public enum StopCause implements WireName {
    /** A person. */
    OPERATOR("operator"),
    /** The runtime was told to end. */
    SIGNAL("signal"),
    /** A threshold over the statistics. */
    STOP_CONDITION("stop-condition"),
    /** A cap was reached. */
    BUDGET("budget"),
    /** Iterations were alike. */
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
