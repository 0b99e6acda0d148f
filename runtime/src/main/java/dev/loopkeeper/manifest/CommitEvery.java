package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines when Loopkeeper commits the changes in a worktree. */
public enum CommitEvery implements WireName {
    /** After each step. */
    STEP("step"),
    /** After each iteration, attempt of an item, task and gate. */
    ITERATION("iteration"),
    /** Never: the branch has only the agents' own commits. */
    NONE("none");

    private final String wire;

    CommitEvery(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
