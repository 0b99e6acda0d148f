package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns run slots to queued runs, as {@link RunSlots} decides, and decides whether a run may become active: it
 * requires a free slot and exclusive signal files. Used from one context only.
 */
final class RunCapacity {
    private static final Logger LOG = LoggerFactory.getLogger(RunCapacity.class);

    private final Vertx vertx;
    private final Map<String, RunActor> runs;
    private final SignalClaims signals;
    private final int most;
    /** Runs that are about to be created and started. */
    private final Map<String, RunState> startingRuns = new HashMap<>();

    private boolean open;
    private boolean closed;
    private boolean filling;
    private boolean fillingLater;

    /**
     * Assigns no slot before {@link #open} where their number is limited.
     *
     * @param most number of slots; 0 = no limit
     */
    RunCapacity(Scheduler scheduler, int most) {
        this.vertx = scheduler.vertx;
        this.runs = scheduler.runs;
        this.signals = scheduler.signals;
        this.most = most;
    }

    /** Starts assigning slots: every open run is loaded, so the active runs and their signal files are known. */
    void open() {
        open = true;
        fill();
    }

    /** Accepts no more work. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    private boolean isFree() {
        return !closed && (most == 0 || (open && RunSlots.isFree(claims(), most)));
    }

    /**
     * Returns the capacity for a run that this input would activate. Does not fail. No run gets signal files before
     * recovery has determined the owners of all.
     */
    Future<Capacity> of(RunState run, RunInput input) {
        return signals.look(run, input)
                .compose(looked -> {
                    Capacity here = here(run.runId());
                    return here.equals(Capacity.FREE) ? everywhere(run) : Future.succeededFuture(here);
                })
                .otherwise(unanswered -> {
                    LOG.warn(
                            "run {} waits: its signal files cannot be checked: {}", run.runId(), unanswered.toString());
                    fillLater();
                    return Capacity.NONE;
                });
    }

    private Capacity here(String runId) {
        boolean unknown = !open && signals.has(runId);
        return new Capacity(isFree() && !unknown, signals.conflict(runId));
    }

    /** Takes the signal files among all nodes. Another run may get the slot in the meantime. */
    private Future<Capacity> everywhere(RunState run) {
        return signals.take(run).map(inUse -> {
            if (inUse.isEmpty()) {
                return here(run.runId());
            }
            fillSoon();
            fillLater();
            return new Capacity(isFree(), inUse);
        });
    }

    /** See {@link SignalClaims#reserve}. Without a free slot the run is queued, and reserves nothing yet. */
    Future<Optional<SignalInUse>> reserve(RunState fresh) {
        return isFree() ? signals.reserve(fresh) : Future.succeededFuture(Optional.empty());
    }

    /**
     * Returns whether a run may start at its creation: a slot is free and its signal files are reserved. Then holds the
     * slot until {@link #settle}.
     */
    boolean begin(RunState starting) {
        boolean free = isFree() && open && signals.isReserved(starting.runId());
        if (free) {
            startingRuns.put(starting.runId(), starting);
        }
        return free;
    }

    /** Ends the reservation of a run, whether it was created or not. */
    void settle(String runId) {
        signals.settle(runId);
        startingRuns.remove(runId);
        fillSoon();
    }

    /** Fills free slots once, after the current event-loop task. */
    void fillSoon() {
        if (!filling) {
            filling = true;
            vertx.runOnContext(later -> {
                filling = false;
                fill();
            });
        }
    }

    /** Fills free slots after a pause, also with runs that wait for a run of another node. */
    void fillLater() {
        if (!fillingLater) {
            fillingLater = true;
            vertx.setTimer(StoreRetry.RETRY_DELAY.toMillis(), fired -> {
                fillingLater = false;
                signals.forgetElsewhere();
                fill();
            });
        }
    }

    /** Starts queued runs while slots are free, except runs whose signal files another run uses. */
    private void fill() {
        if (closed || !open || !isAwaited()) {
            return;
        }
        next(most)
                .forEach(runId -> start(runs.get(runId))
                        .onFailure(cause ->
                                LOG.warn("run {} could not start and stays queued: {}", runId, cause.getMessage())));
    }

    /** Returns the runs that wait for a slot only, the longest waiting first. */
    List<String> waiting() {
        return closed || !open || isFree() || !isAwaited() ? List.of() : next(RunSlots.NO_LIMIT);
    }

    private List<String> next(int limit) {
        List<RunState> known = claims();
        Set<String> blocked = signals.inConflict(RunSlots.waiting(known));
        return RunSlots.next(
                known, limit, run -> blocked.contains(run.runId()) || startingRuns.containsKey(run.runId()));
    }

    /** Whether any run waits. A quick check, since it runs after each start and end. */
    private boolean isAwaited() {
        return runs.values().stream().anyMatch(run -> RunSlots.waits(run.claim()));
    }

    /** Starts a queued run if a slot is free; else the run stays queued. */
    static Future<?> start(RunActor run) {
        return run.ask(new RunInput.Start(Instants.now()));
    }

    private List<RunState> claims() {
        List<RunState> claims = new ArrayList<>();
        runs.values().forEach(run -> claims.add(run.claim()));
        startingRuns.forEach((runId, state) -> {
            if (!runs.containsKey(runId)) {
                claims.add(state);
            }
        });
        return claims;
    }
}
