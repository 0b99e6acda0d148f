package dev.loopkeeper.ownership;

/**
 * The last observed heartbeat of a node.
 *
 * @param since when the observer first received this beat, on its own clock. The owner's lease began earlier, since the
 * beat was in the database by then; the time of the request would be too early
 * @param session the database connection of the observation; rises with each new one
 */
public record Observation(NodeBeat beat, BootTime since, long session) {
    /**
     * Adds a new reading. Another beat or another session restarts the observation: during an outage of the database, a
     * silent node looks like an unreachable one.
     */
    Observation then(NodeBeat seen, BootTime at, long over) {
        return seen.equals(beat) && over == session ? this : new Observation(seen, at, over);
    }

    /** Whether the node was silent for so long that its processes have ended. */
    boolean due(BootTime at) {
        return at.since(since).compareTo(beat.terms().lease()) >= 0;
    }
}
