package dev.loopkeeper.rules;

/** Determines what happens to open steps when an execution ends. */
enum StopMode {
    /** Open steps may complete, and their results count. */
    DRAIN,
    /** Open steps receive the stop signal, and KILL after their grace period. */
    TERMINATE,
    /** Open steps are killed at once. */
    KILL
}
