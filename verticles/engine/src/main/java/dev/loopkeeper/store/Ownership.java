package dev.loopkeeper.store;

import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.view.Owner;
import java.util.Optional;

/**
 * Port: whether this process owns runs, and with which fencing token it writes them. Any thread; call right before an
 * effect. Does not block.
 */
public interface Ownership {
    /** The ownership of a process that owns all runs of its store by a lock. */
    static Ownership sole() {
        return new Ownership() {};
    }

    /**
     * Returns the fencing token for writes to this run, 1 or more; it never falls. The store refuses appends with a
     * lower token than it has seen.
     */
    default long epoch(String runId) {
        return 1;
    }

    /** Returns whether a process may be launched at the moment. If not, the caller waits and asks again. */
    default boolean mayAct() {
        return true;
    }

    /**
     * Returns whether this process owns the run, as far as it knows. It may no longer know an ended run. It only reads
     * runs of other owners.
     */
    default boolean isOwn(String runId) {
        return true;
    }

    /**
     * Returns the lease under which decisions are made. It rises after runs were lost and taken over again; effects of
     * an earlier lease are skipped.
     */
    default long term() {
        return 0;
    }

    /** Called when this process has durably created a run under a lease. */
    default void created(String runId, long term) {}

    /** Called when a queued run is released to other nodes. */
    default void release(String runId) {}

    /**
     * Returns the step with a launch command that checks the lease again, since this process may be paused between its
     * own check and the launch.
     */
    default StepSpec guarded(StepSpec step, long term) {
        return step;
    }

    /** Returns this node's name; empty without a cluster. */
    default Optional<String> node() {
        return Optional.empty();
    }

    /** Returns the owner to display for a run of this process; empty without a cluster. */
    default Optional<Owner> owner(String runId) {
        return Optional.empty();
    }
}
