package dev.loopkeeper.run.step;

import dev.loopkeeper.json.WireName;

/** The purpose of a step. */
public enum StepKind implements WireName {
    /** The one step of a task phase. */
    TASK,
    /** A step of a loop's iteration. */
    LOOP,
    /** The command that determines whether a loop is complete. */
    CHECK,
    /** A step of an item's attempt. */
    ITEM,
    /** The one step of a gate phase. */
    GATE,
    /** An agent consulted in a pause. */
    CONSULTATION;

    @Override
    public String wire() {
        return this == CONSULTATION ? "aside" : WireName.super.wire();
    }
}
