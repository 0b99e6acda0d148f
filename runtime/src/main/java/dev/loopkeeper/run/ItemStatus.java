package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** The status of an item. */
public enum ItemStatus implements WireName {
    /** Not begun, or waiting for a retry. */
    PENDING("pending"),
    /** An attempt is in progress. */
    RUNNING("running"),
    /** Done. */
    APPROVED("approved"),
    /** The last attempt was rejected. */
    REJECTED("rejected"),
    /** The last attempt failed. */
    FAILED("failed"),
    /** An item it depends on did not end approved. */
    BLOCKED("blocked");

    private final String wire;

    ItemStatus(String wire) {
        this.wire = wire;
    }

    /** Whether the item ended and only a resume can restart it. */
    public boolean isOver() {
        return this != PENDING && this != RUNNING;
    }

    @Override
    public String wire() {
        return wire;
    }
}
