package dev.loopkeeper.ownership;

/** The warden's action on the processes of its node at one check. Safe to repeat. */
public enum WardenOrder {
    /** The lease is valid: do nothing. */
    LEAVE,
    /** Send TERM. */
    TERM,
    /**
     * Send KILL, without TERM if the grace passed before the check: the machine was suspended, and another node may own
     * the runs.
     */
    KILL
}
