package dev.loopkeeper.store;

import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.view.Owner;
import java.util.Optional;

/**
 * Port: whether this process may carry runs out, and by which token the store knows it. Asked from any thread, last
 * thing before an effect; does not block.
 */
public interface Ownership {
    /** Where one process owns the store, by a lock that outlives nobody: every run, always. */
    static Ownership sole() {
        return SoleOwnership.ONLY;
    }

    /**
     * The fencing token with which this run is written, 1 or more; it never falls. The store refuses an append of a
     * lower one than it has seen.
     */
    long epoch(String runId);

    /** Whether a process may be launched now. While it may not, whoever wants to launch one waits and asks again. */
    boolean mayAct();

    /**
     * Whether this process carries the run out, as far as it knows: one that it does not know may have ended here long
     * ago. What it does not own it only reads.
     */
    default boolean isOwn(String runId) {
        return true;
    }

    /**
     * Which lease goes with what is decided now. It rises when the runs were lost and taken up anew: what was to be done
     * under an earlier one is not done any more.
     */
    default long term() {
        return 0;
    }

    /** This run was made here, under a lease of that term, and is durable. */
    default void created(String runId, long term) {}

    /** This run, which waits for a place, is left to others: it is not carried out here from now on. */
    default void release(String runId) {}

    /**
     * The step as it is to be launched under this term: what starts it looks once more whether that still holds, since a
     * process can be paused between its own last look and what it does.
     */
    default StepSpec guarded(StepSpec step, long term) {
        return step;
    }

    /** This node, by its name in the cluster; absent without one. */
    default Optional<String> node() {
        return Optional.empty();
    }

    /** What is shown of who carries this run out, which is our own; absent without a cluster. */
    default Optional<Owner> owner(String runId) {
        return Optional.empty();
    }
}
