package dev.loopkeeper.store.postgres;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How nodes tell each other to look into the database at once, beside what the database tells by itself. Each hint may be
 * lost or come too often: whoever hears one only looks. Safe to use from any thread.
 */
public final class NodeHints {
    /** Where there is something to be seen. */
    public enum Kind {
        /** Events were appended. */
        FEED,
        /** A command was recorded or answered. */
        COMMANDS,
        /** A node was asked something or has answered. */
        QUESTIONS
    }

    private static final Logger LOG = LoggerFactory.getLogger(NodeHints.class);

    private final Map<Kind, List<Runnable>> watches = new EnumMap<>(Kind.class);
    private volatile Consumer<Kind> outlet = nobody -> {};

    public NodeHints() {
        for (Kind kind : Kind.values()) {
            watches.put(kind, new CopyOnWriteArrayList<>());
        }
    }

    /** Calls this from now on, on any thread, with what this node has to tell the others. In place of the one before. */
    public void outlet(Consumer<Kind> others) {
        outlet = others;
    }

    /** Another node has told this. */
    public void heard(Kind kind) {
        for (Runnable watch : watches.get(kind)) {
            try {
                watch.run();
            } catch (RuntimeException | Error broken) {
                LOG.error("a change of another node was not looked at", broken);
            }
        }
    }

    /** This node has committed what others should look at. */
    void tell(Kind kind) {
        outlet.accept(kind);
    }

    /** Calls this, on any thread, whenever another node has told this kind. */
    void watch(Kind kind, Runnable look) {
        watches.get(kind).add(look);
    }
}
