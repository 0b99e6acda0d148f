package dev.loopkeeper.store;

import io.vertx.core.Future;

/** Port: work that one process does for all that share the store. Used from any thread. */
@FunctionalInterface
public interface Duties {
    /** Telling the receivers of notifications. */
    String NOTIFICATIONS = "notifications";

    /** What is done by whoever has it. Called on any thread, one call at a time. */
    interface Duty {
        /** This process has it from now on; whatever was written by whoever had it before is to be seen. */
        Future<Void> begin();

        /** It is given up in order: what is under way is brought to its end. */
        Future<Void> end();

        /** Somebody else may have it already: nothing is begun any more, and what is under way changes nothing. */
        void drop();
    }

    /**
     * Offers to do this work whenever nobody else does; completes when it has begun, or is left to others for now. With a
     * store of its own the process begins at once, and whoever offered ends it.
     */
    Future<Void> offer(String name, Duty duty);

    /** Where one process has the store for itself. */
    static Duties sole() {
        return (name, duty) -> duty.begin();
    }
}
