package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.CapUse;
import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Pools;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Event-bus channels of the store, served by {@link EventStoreVerticle}. Readers use the port {@link EventStore}
 * directly. Failure codes: {@link StaleAppendException#CODE}, {@link KeyTakenException#CODE},
 * {@link StoreException#CODE}, {@link StoreUnavailableException#CODE}.
 */
public final class StoreChannels {
    /** Makes events durable. They are published in the order of positions after the answer is sent. */
    public static final RequestChannel<AppendEvents, Appended> APPEND =
            channel("append", AppendEvents.class, Appended.class);

    /**
     * Command: make events of one run durable, all or none. Refused with {@link StaleAppendException} unless the run's last
     * sequence is {@code expectedSequence} and no higher epoch has written.
     *
     * @param expectedSequence the run's last sequence; 0 creates the run
     * @param epoch fencing token of the owner, 1 if one process owns the store
     * @param events one or more, with sequences that follow {@code expectedSequence}
     * @param row the run after these events
     * @param snapshot the run's complete state after these events, from which it can be loaded
     * @param idempotencyKey stored as the key that created this run
     * @param used what steps reported in these events; an import has none
     */
    public record AppendEvents(
            String runId,
            long expectedSequence,
            long epoch,
            List<StoredEvent> events,
            RunRow row,
            Optional<String> snapshot,
            Optional<String> idempotencyKey,
            Optional<ReportedUsage> used) {
        /** Events without reported usage. */
        public AppendEvents(
                String runId,
                long expectedSequence,
                long epoch,
                List<StoredEvent> events,
                RunRow row,
                Optional<String> snapshot,
                Optional<String> idempotencyKey) {
            this(runId, expectedSequence, epoch, events, row, snapshot, idempotencyKey, Optional.empty());
        }

        /** A longer value, in characters, is serialized on a worker. */
        private static final int LARGE = 64 << 10;

        /** Fails with {@link IllegalArgumentException} for no events or for events out of sequence or of another run. */
        public AppendEvents {
            if (events.isEmpty()) {
                throw new IllegalArgumentException("an append needs an event, run " + runId);
            }
            if (!row.runId().equals(runId)) {
                throw new IllegalArgumentException("row of run " + row.runId() + " in an append to " + runId);
            }
            long next = expectedSequence;
            for (StoredEvent event : events) {
                next++;
                if (!event.runId().equals(runId) || event.sequence() != next) {
                    throw new IllegalArgumentException("event " + event.sequence() + " of " + event.runId() + " where "
                            + next + " of " + runId + " belongs");
                }
            }
        }

        /** Returns whether to serialize it on a worker. */
        public boolean isLarge() {
            return Json.isLarge(row.view(), LARGE)
                    || events.stream().anyMatch(event -> Json.isLarge(event.data(), LARGE));
        }
    }

    /**
     * Answer: the events are durable.
     *
     * @param lastPosition position of the last of them in the order over all runs; the events of one append have
     *     consecutive positions, so the first has {@code lastPosition - events.size() + 1}
     */
    public record Appended(long lastPosition) {}
    /** Removes ended runs and their folders. */
    public static final RequestChannel<PruneRuns, PrunedRuns> PRUNE =
            channel("prune", PruneRuns.class, PrunedRuns.class);

    /**
     * Command: remove ended runs and their folders, see {@link EventStore#prunable}. Answered by {@link PrunedRuns}.
     *
     * @param cursor {@link PrunedRuns#nextCursor} of the answer before; absent for the oldest runs
     * @param dryRun only list them
     * @param force also remove runs with unsaved work in their worktrees
     */
    public record PruneRuns(Instant before, int keep, Optional<String> cursor, boolean dryRun, boolean force) {}

    /** Returns the policy that holds, from memory. */
    public static final RequestChannel<GetPolicy, AppliedPolicy> POLICY =
            channel("policy", GetPolicy.class, AppliedPolicy.class);

    /** Request: the policy. */
    public record GetPolicy() {}
    /** Replaces the policy; refused with {@link PolicyChangedException}. */
    public static final RequestChannel<PutPolicy, AppliedPolicy> PUT_POLICY =
            channel("put-policy", PutPolicy.class, AppliedPolicy.class);

    /**
     * Command: replace the policy.
     *
     * @param document as its reader accepted it
     * @param expected the version that it replaces; absent: any
     * @param by who changes it
     */
    public record PutPolicy(JsonNode document, OptionalLong expected, String by) {}
    /** Returns the caps with their use, for people. */
    public static final RequestChannel<GetCaps, Caps> CAPS = channel("caps", GetCaps.class, Caps.class);
    /** Returns the use of the caps; includes all that was durable when it was requested. */
    public static final RequestChannel<GetCaps, CapUses> CAP_USE = channel("cap-use", GetCaps.class, CapUses.class);

    /** Request: the caps. */
    public record GetCaps() {}
    /** Returns the pools with their use. */
    public static final RequestChannel<GetPools, Pools> POOLS = channel("pools", GetPools.class, Pools.class);

    /** Request: the pools. */
    public record GetPools() {}
    /** Ends the cool-down of a pool, and the wait of the run that met the limit; returns the pools after that. */
    public static final RequestChannel<ClearPool, Pools> CLEAR_POOL =
            channel("clear-pool", ClearPool.class, Pools.class);

    /** Command: end the cool-down of this pool. */
    public record ClearPool(String name) {}
    /** The use of a cap changed, or the caps did. */
    public static final EventChannel<CapUses> CAP_USE_CHANGED =
            new EventChannel<>("loopkeeper.checkpoints.cap-use-changed");

    /** Answer and event: the use of each cap of the policy, in its order. */
    public record CapUses(List<CapUse> uses) {}
    /** Runs were removed from the store; their folders are removed next. */
    public static final EventChannel<RunsRemoved> REMOVED = new EventChannel<>("loopkeeper.checkpoints.removed");

    /** Event: these runs were removed from the store. */
    public record RunsRemoved(List<String> runIds) {}
    /** All durable events. */
    public static final EventChannel<PositionedEvent> EVENTS = new EventChannel<>("loopkeeper.events");
    /**
     * Events that this process appended; processes that share a store each publish their own. Published just before
     * {@link #EVENTS}.
     */
    public static final EventChannel<PositionedEvent> OWN_EVENTS = new EventChannel<>("loopkeeper.own-events");
    /** Duration of each append. */
    public static final EventChannel<AppendTimed> SYNCED = new EventChannel<>("loopkeeper.checkpoints.synced");

    /**
     * Event: an append became durable.
     *
     * @param events number of events, 1 or more
     * @param nanos from the request until durable, including the wait for a shared sync
     */
    public record AppendTimed(int events, long nanos) {}

    private StoreChannels() {}

    private static <Q, A> RequestChannel<Q, A> channel(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.checkpoints." + name, question, answer);
    }

    /** Durable events of one type, e.g. {@code loopkeeper.events.run.ended}. */
    public static EventChannel<PositionedEvent> eventsOf(String type) {
        return new EventChannel<>(EVENTS.address() + "." + type);
    }
}
