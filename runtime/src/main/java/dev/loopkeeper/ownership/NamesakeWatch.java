package dev.loopkeeper.ownership;

import java.util.List;
import java.util.Optional;

/**
 * What a node that is about to start has seen of another one of its own name. A value: each look gives the next one. Its
 * row alone does not tell whether it is at work: a node that was killed looks live in it.
 */
public final class NamesakeWatch {
    /** Before the first look. */
    public static final NamesakeWatch NOTHING = new NamesakeWatch(NodeWatch.NOTHING, Optional.empty(), false);

    private final NodeWatch watch;
    private final Optional<NodeBeat> last;
    private final boolean beats;

    private NamesakeWatch(NodeWatch watch, Optional<NodeBeat> last, boolean beats) {
        this.watch = watch;
        this.last = last;
        this.beats = beats;
    }

    /**
     * After an answer of the database that the name is another's.
     *
     * @param at when the answer was read, on the observer's boot clock
     * @param session over which it came, as in {@link NodeWatch#look}
     */
    public NamesakeWatch look(BootTime at, long session, NodeBeat seen) {
        boolean other = last.filter(before -> !before.equals(seen)).isPresent();
        return new NamesakeWatch(watch.look(at, session, List.of(seen)), Optional.of(seen), other);
    }

    /** Whether it has shown another beat than at the look before: the name is taken. */
    public boolean isAtWork() {
        return beats;
    }

    /** Whether it has shown no other beat for a whole lease of its own: the name may be taken over. */
    public boolean isSilent(BootTime at) {
        return !watch.due(at).isEmpty();
    }
}
