package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** The purpose of a step. */
public enum StepKind implements WireName {
    /** The one step of a task phase. */
    TASK("task"),
    /** A step of a loop's iteration. */
    LOOP("loop"),
    /** The command that determines whether a loop is complete. */
    CHECK("check"),
    /** A step of an item's attempt. */
    ITEM("item"),
    /** The one step of a gate phase. */
    GATE("gate"),
    /** An agent consulted in a pause. */
    CONSULTATION("aside");

    private final String wire;

    StepKind(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
