package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** Where an item stands. */
public enum ItemStatus implements WireName {
    /** Not begun, or to be tried again. */
    PENDING("pending"),
    /** An attempt is under way. */
    RUNNING("running"),
    /** Done. */
    APPROVED("approved"),
    /** Its last attempt was judged not good. */
    REJECTED("rejected"),
    /** Its last attempt could not be done. */
    FAILED("failed"),
    /** An item it depends on did not end approved. */
    BLOCKED("blocked");

    private final String wire;

    ItemStatus(String wire) {
        this.wire = wire;
    }

    /** Whether nothing more happens to it without a resume. */
    public boolean isOver() {
        return this != PENDING && this != RUNNING;
    }

    @Override
    public String wire() {
        return wire;
    }
}
