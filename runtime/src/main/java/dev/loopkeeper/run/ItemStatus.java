package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where an item stands. */
public enum ItemStatus {
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

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
