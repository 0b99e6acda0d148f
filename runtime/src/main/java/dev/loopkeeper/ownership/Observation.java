package dev.loopkeeper.ownership;

/**
 * What one node has seen of another.
 *
 * @param since when the observer, on its own clock, first had the answer that tells of this beat: the beat was in the
 *     database by then, so the owner counts from before. The moment of the question would be too early: the beat could
 *     have come after it
 * @param session the database connection over which it was seen; rises with each new one
 */
public record Observation(NodeBeat beat, BootTime since, long session) {

    /**
     * With what was seen now. It begins anew with another beat, and with another session: while the observer or everybody
     * was cut off from the database, nobody could tell a silent node from one that could not be heard.
     */
    Observation then(NodeBeat seen, BootTime at, long over) {
        return seen.equals(beat) && over == session ? this : new Observation(seen, at, over);
    }

    /** Whether the node was silent for so long that its processes are gone. */
    boolean due(BootTime at) {
        return at.since(since).compareTo(beat.terms().lease()) >= 0;
    }
}
