package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** When what changed in a worktree becomes a commit. */
public enum CommitEvery implements WireName {
    /** After each step. */
    STEP("step"),
    /** After each iteration, attempt of an item, task and gate. */
    ITERATION("iteration"),
    /** Never: only what agents commit themselves is on the branch. */
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
