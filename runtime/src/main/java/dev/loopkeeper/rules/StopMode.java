package dev.loopkeeper.rules;

/** Determines what happens to open steps when an execution ends. */
enum StopMode {
    /** They may complete and count. */
    DRAIN,
    /** They receive the stop signal, and KILL after their grace. */
    TERMINATE,
    /** They are killed at once. */
    KILL
}
