package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines what a STALLED iteration does to its loop. */
public enum OnStalled implements WireName {
    /** The loop continues. */
    CONTINUE,
    /** The run pauses. */
    PAUSE,
    /** The execution ends with {@code no-progress}. */
    STOP;
}
