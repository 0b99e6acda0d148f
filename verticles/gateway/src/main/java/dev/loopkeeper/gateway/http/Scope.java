package dev.loopkeeper.gateway.http;

/** Permission of a caller; each scope includes those before it. */
public enum Scope {
    /** Everyone who can connect. */
    OPEN,
    /** May see runs, logs and the feed. */
    READ,
    /** May start, stop, resume and kill. */
    CONTROL;

    public boolean allows(Scope needed) {
        return compareTo(needed) >= 0;
    }
}
