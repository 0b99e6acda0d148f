package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines when Loopkeeper commits the changes in a worktree. */
public enum CommitEvery implements WireName {
    /** After each step. */
    STEP,
    /** After each iteration, attempt of an item, task and gate. */
    ITERATION,
    /** Never: the branch has only the agents' own commits. */
    NONE;
}
