package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a step is for. */
public enum SlotKind {
    /** The one step of a task phase. */
    TASK("task"),
    /** A step of a loop's iteration. */
    LOOP("loop"),
    /** The command that tells whether a loop is complete. */
    CHECK("check"),
    /** A step of an item's attempt. */
    ITEM("item"),
    /** The one step of a gate phase. */
    GATE("gate"),
    /** An agent consulted in a pause. */
    ASIDE("aside");

    private final String wire;

    SlotKind(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
