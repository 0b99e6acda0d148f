package dev.loopkeeper.rules;

/** What becomes of the steps that run when an execution is to end. */
enum StopMode {
    /** They are completed and counted. */
    DRAIN,
    /** They are told to end, and killed when their grace is over. */
    TERMINATE,
    /** They are killed at once. */
    KILL
}
