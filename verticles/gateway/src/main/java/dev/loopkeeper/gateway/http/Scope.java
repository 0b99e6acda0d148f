package dev.loopkeeper.gateway.http;

/** What a caller must be allowed to do; each one includes those before it. */
public enum Scope {
    /** Anybody who reaches the port. */
    OPEN,
    /** See runs, logs and the feed. */
    READ,
    /** Start, stop, resume, kill. */
    CONTROL;

    public boolean allows(Scope needed) {
        return compareTo(needed) >= 0;
    }
}
