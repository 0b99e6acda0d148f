package dev.loopkeeper.view;

import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.pool.CoolDown;
import dev.loopkeeper.pool.PoolState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The pools of the policy, in its order, with their use. */
public record Pools(List<Entry> pools) {
    /** Number of waiting runs that a pool lists. */
    public static final int MOST_QUEUED = 1000;

    public Pools {
        pools = List.copyOf(pools);
    }

    /** Returns the pools of the policy in these states. */
    public static Pools of(Policy policy, Map<String, PoolState> states, Instant now) {
        return new Pools(policy.pools().stream()
                .map(pool -> Entry.of(pool, states.getOrDefault(pool.name(), PoolState.EMPTY), now))
                .toList());
    }

    /** Returns the pool with this name. */
    public Optional<Entry> pool(String name) {
        return pools.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    /** Returns how many runs of this pool are before a waiting run; empty if it is unknown. */
    public OptionalInt before(String name, String runId) {
        int index = pool(name).map(pool -> pool.queue().indexOf(runId)).orElse(-1);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /**
     * A pool.
     *
     * @param places absent: no limit
     * @param used agents that have a place
     * @param waiting runs that wait for a place
     * @param coolUntil until when nothing of the pool is launched; absent, like what follows, without a cool-down
     * @param reason what the agent that met the limit reported
     * @param since when it reported that
     * @param runId the run that met the limit
     * @param stepId the step that met it
     * @param queue the ids of the waiting runs, next first; at most {@link #MOST_QUEUED}
     */
    public record Entry(
            String name,
            OptionalInt places,
            int used,
            int waiting,
            Optional<Instant> coolUntil,
            Optional<String> reason,
            Optional<Instant> since,
            Optional<String> runId,
            Optional<String> stepId,
            List<String> queue) {
        private static Entry of(Pool pool, PoolState state, Instant now) {
            List<String> queue = state.waitingRuns();
            // After its time, a cool-down lasts only while a launch tries.
            Optional<CoolDown> cool = state.coolDown()
                    .filter(known ->
                            now.isBefore(known.until()) || known.probe().isPresent());
            return new Entry(
                    pool.name(),
                    pool.places(),
                    state.used(),
                    queue.size(),
                    cool.map(CoolDown::until),
                    cool.map(CoolDown::reason),
                    cool.map(CoolDown::since),
                    cool.map(CoolDown::runId),
                    cool.map(CoolDown::stepId),
                    queue.stream().limit(MOST_QUEUED).toList());
        }
    }
}
