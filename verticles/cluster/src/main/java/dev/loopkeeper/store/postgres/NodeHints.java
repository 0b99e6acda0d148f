package dev.loopkeeper.store.postgres;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distributes hints between nodes: a hint makes a node query the database before its next poll. Hints may be lost or
 * duplicated. Thread-safe.
 */
public final class NodeHints {
    /** The kind of data that may have changed in the database. */
    public enum Kind {
        /** Events were appended. */
        FEED,
        /** A request was recorded or answered. */
        REQUESTS;

        /** Returns the kind of this name; empty for another message. */
        public static Optional<Kind> of(Object name) {
            return Stream.of(values()).filter(kind -> kind.name().equals(name)).findFirst();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(NodeHints.class);

    private final Map<Kind, List<Runnable>> watches = new EnumMap<>(Kind.class);
    private volatile Consumer<Kind> sender = kind -> {};

    public NodeHints() {
        for (Kind kind : Kind.values()) {
            watches.put(kind, new CopyOnWriteArrayList<>());
        }
    }

    /** Sets the receiver of this node's own hints, in place of the former receiver. It is called on any thread. */
    public void sendTo(Consumer<Kind> others) {
        sender = others;
    }

    /** Notifies the watchers of a hint from another node. */
    public void receive(Kind kind) {
        for (Runnable watch : watches.get(kind)) {
            try {
                watch.run();
            } catch (RuntimeException | Error broken) {
                LOG.error("a watcher failed on a hint from another node", broken);
            }
        }
    }

    /** Sends a hint after this node has committed a change. */
    void send(Kind kind) {
        sender.accept(kind);
    }

    /** Calls {@code changed}, on any thread, for each received hint of this kind. */
    void watch(Kind kind, Runnable changed) {
        watches.get(kind).add(changed);
    }
}
