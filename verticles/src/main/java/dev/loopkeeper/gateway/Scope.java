package dev.loopkeeper.gateway;

/** What a caller must be allowed to do; each one includes those before it. */
enum Scope {
    /** Anybody who reaches the port. */
    OPEN,
    /** See runs, logs and the feed. */
    READ,
    /** Start, stop, resume, kill. */
    CONTROL;

    boolean allows(Scope needed) {
        return compareTo(needed) >= 0;
    }
}
