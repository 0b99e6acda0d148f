package dev.loopkeeper.ownership;

/** A protocol that is wrong in one place: a simulation that does not notice it proves nothing. */
enum ProtocolBug {
    NONE,
    /** A deadline is counted from the answer to a renewal, not from the moment before it was sent. */
    DEADLINE_FROM_REPLY,
    /** A contender compares the time of the last beat with the database's wall clock. */
    DATABASE_CLOCK,
    /** A contender continues with what it saw before its connection was lost. */
    OBSERVATION_ACROSS_SESSIONS,
    /** The clock of a machine stands still while it is suspended, like {@code System.nanoTime}. */
    CLOCK_STANDS_STILL,
    /** A launcher checks the deadline alone, not the lease under which its launch was decided. */
    LAUNCH_OF_AN_EARLIER_LEASE,
    /** A warden asks processes to end also when the grace has gone by. */
    WARDEN_ASKS_FIRST,
    /** A node that joins again gives its runs back although their agents live. */
    RELEASED_BEFORE_GONE,
    /** A contender waits for a silent node as long as for one with its own lease. */
    ANOTHERS_LEASE_BY_ONES_OWN,
    /** A node that joins again with a shorter lease is watched by that before its processes are. */
    SHORTER_LEASE_AT_ONCE
}
