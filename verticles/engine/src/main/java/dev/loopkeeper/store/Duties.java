package dev.loopkeeper.store;

import io.vertx.core.Future;

/** Port: assigns each duty to one of the processes that share a store. Thread-safe. */
@FunctionalInterface
public interface Duties {
    /** Sending notifications. */
    String NOTIFICATIONS = "notifications";

    /** Firing schedules whose manifests all nodes see. */
    String SCHEDULES = "schedules";

    /** Work of the process that has the duty. Called on any thread, one call at a time. */
    interface Duty {
        /** Called when this process gets the duty; all writes of the former holder are visible. */
        Future<Void> begin();

        /** Gives the duty up in order and finishes work in progress. */
        Future<Void> end();

        /**
         * Called when another process may have the duty: begins nothing more, and work in progress must change nothing.
         */
        void drop();
    }

    /**
     * Offers to take the duty whenever no other process has it. Completes when it has begun or another process has it.
     * In a process with its own store it begins at once, and the caller ends it.
     */
    Future<Void> offer(String name, Duty duty);

    /** The duties of a process that does not share the store. */
    static Duties sole() {
        return (name, duty) -> duty.begin();
    }
}
