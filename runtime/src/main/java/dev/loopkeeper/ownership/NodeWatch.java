package dev.loopkeeper.ownership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node has seen of the others. A value: each look gives the next one. */
public final class NodeWatch {
    /** Before the first look. */
    public static final NodeWatch NOTHING = new NodeWatch(Map.of());

    private final Map<String, Observation> observations;

    private NodeWatch(Map<String, Observation> observations) {
        this.observations = observations;
    }

    /**
     * After an answer of the database.
     *
     * @param at when the answer was read, on the observer's boot clock
     * @param session over which it came; another than before makes all observations begin anew
     * @param live all live nodes but the observer
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
     * Whom the observer may fence now, directly after a look: {@code state = 'fenced'}, and the runs without an owner and
     * with epochs higher by one, in one transaction, if the row is live with exactly this incarnation and beat and the
     * observer's own is live, too. Only then is the answer that it had still true.
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

    /** Since when a node has been silent, as far as the observer knows; empty for one that is not live. */
    public Optional<Observation> of(String node) {
        return Optional.ofNullable(observations.get(node));
    }
}
