package dev.loopkeeper.ownership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tracks the heartbeats of the other nodes. Immutable: each observation returns the next value. */
public record NodeWatch(Map<String, Observation> observations) {
    /** Before the first observation. */
    public static final NodeWatch NOTHING = new NodeWatch(Map.of());

    /**
     * Records an answer of the database.
     *
     * @param at when the answer was read, on the observer's boot clock
     * @param session database connection of the answer; another connection resets all observations
     * @param live all live nodes except the observer
     */
    public NodeWatch look(BootTime at, long session, List<NodeBeat> live) {
        Map<String, Observation> seen = new HashMap<>();
        for (NodeBeat beat : live) {
            Observation before = observations.get(beat.node());
            seen.put(beat.node(), before == null ? new Observation(beat, at, session) : before.then(beat, at, session));
        }
        return new NodeWatch(seen);
    }

    /**
     * Returns the nodes that the observer may fence directly after an observation. One transaction sets {@code state =
     * 'fenced'}, releases their runs and raises the epochs. It requires that the row still has this incarnation and
     * beat, and that the observer's own row is live.
     */
    public List<NodeBeat> due(BootTime at) {
        List<NodeBeat> due = new ArrayList<>();
        for (Observation observation : observations.values()) {
            if (observation.due(at)) {
                due.add(observation.beat());
            }
        }
        due.sort(Comparator.comparing(NodeBeat::node));
        return due;
    }

    /** The last observation of a node; empty for a node that is not live. */
    public Optional<Observation> of(String node) {
        return Optional.ofNullable(observations.get(node));
    }
}
