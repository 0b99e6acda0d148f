package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** What becomes of an agent whose node is lost, in a cluster. */
public enum OnNodeLoss implements WireName {
    /** Its run pauses for a person, unless it had left a valid signal in a workspace that is shared. */
    PAUSE("pause"),
    /** It is launched anew, as a new step, by the node that takes its run over; as often as a transient error is. */
    RETRY("retry");

    private final String wire;

    OnNodeLoss(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
