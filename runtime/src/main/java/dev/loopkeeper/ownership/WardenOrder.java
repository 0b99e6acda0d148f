package dev.loopkeeper.ownership;

/** What a warden does to the processes of its node at one look. Safe to repeat. */
public enum WardenOrder {
    /** The lease holds. */
    LEAVE,
    /** They are asked to end. */
    TERM,
    /**
     * They are ended, without being asked where the grace went by before the look: the machine was stopped as a whole, and
     * another node may be at work by now.
     */
    KILL
}
