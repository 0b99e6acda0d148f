package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines whether Loopkeeper appends earlier results to a prompt that does not name them. */
public enum ContextMode implements WireName {
    /** Appends them if there are any. */
    APPEND,
    /** Leaves the prompt unchanged. */
    NONE;
}
