package dev.loopkeeper.ownership;

import java.util.List;
import java.util.Optional;

/**
 * Detects whether another node with the same name is running. Immutable: each observation returns the next value. The
 * row alone proves nothing, since a killed node still looks live in it.
 *
 * @param last the last observed heartbeat
 * @param beats whether the last observation differed from the one before
 */
public record DuplicateNodeWatch(NodeWatch watch, Optional<NodeBeat> last, boolean beats) {
    /** Before the first observation. */
    public static final DuplicateNodeWatch NOTHING = new DuplicateNodeWatch(NodeWatch.NOTHING, Optional.empty(), false);

    /**
     * Records that the database reports the name as taken.
     *
     * @param at when the answer was read, on the observer's boot clock
     * @param session database connection, as in {@link NodeWatch#look}
     */
    public DuplicateNodeWatch look(BootTime at, long session, NodeBeat seen) {
        boolean other = last.filter(beat -> !beat.equals(seen)).isPresent();
        return new DuplicateNodeWatch(watch.look(at, session, List.of(seen)), Optional.of(seen), other);
    }

    /** Whether the other node's heartbeat changed since the last observation: the name is taken. */
    public boolean isAtWork() {
        return beats;
    }

    /** Whether the other node's heartbeat did not change for its complete lease: this node may take over the name. */
    public boolean isSilent(BootTime at) {
        return !watch.due(at).isEmpty();
    }
}
