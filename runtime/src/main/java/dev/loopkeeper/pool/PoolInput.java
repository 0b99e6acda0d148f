package dev.loopkeeper.pool;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What happened in a pool, with its time. Each input may be repeated. */
public sealed interface PoolInput {
    Instant at();

    /**
     * All claims of a run: it gives back every other place that it had, and waits for nothing else.
     *
     * @param open positions of its open steps; they have places, also without having asked (an adopted agent)
     * @param asked positions of the steps that it wants to launch
     */
    record Claims(Instant at, String runId, int priority, Set<String> open, Set<String> asked) implements PoolInput {
        public Claims {
            open = Set.copyOf(open);
            asked = Set.copyOf(asked);
        }
    }

    /**
     * A step met a limit of the provider.
     *
     * @param until when the provider serves again
     * @param returnsAt when its run launches the step again automatically; absent if it does not
     */
    record Limit(Instant at, String runId, String stepId, Instant until, String reason, Optional<Instant> returnsAt)
            implements PoolInput {}

    /** A step reported tokens or ended well: the provider serves again if it was the probe. */
    record Served(Instant at, String runId, String slot) implements PoolInput {}

    /** A run ended or waits for a person: it returns for no probe. */
    record Left(Instant at, String runId) implements PoolInput {}

    /** A person ends the cool-down. */
    record Cleared(Instant at) implements PoolInput {}

    /** Time passed, or the number of places changed. */
    record Due(Instant at) implements PoolInput {}
}
