package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assigns run slots to queued runs, as {@link RunSlots} decides. Used from one context only. */
final class RunSlotQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RunSlotQueue.class);

    private final Map<String, RunActor> runs;
    private final SignalClaims signals;
    private final int most;
    /** Runs that are about to be created and started. */
    private final Map<String, RunState> startingRuns = new HashMap<>();

    private boolean open;
    private boolean closed;

    /**
     * Assigns no slot before {@link #open} where their number is limited.
     *
     * @param runs loaded runs by id; changed elsewhere
     * @param most number of slots; 0 = no limit
     */
    RunSlotQueue(Map<String, RunActor> runs, SignalClaims signals, int most) {
        this.runs = runs;
        this.signals = signals;
        this.most = most;
    }

    /** Starts assigning slots: every open run is loaded, so the number of active runs is known. */
    void open() {
        open = true;
        fill();
    }

    /** Assigns no more slots. */
    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    boolean isFree() {
        return !closed && (most == 0 || (open && RunSlots.isFree(claims(), most)));
    }

    /** Whether the owners of all signal files are known. */
    boolean isOpen() {
        return open;
    }

    /** Starts queued runs while slots are free, except runs whose signal files another run uses. */
    void fill() {
        if (closed || !open || !isAwaited()) {
            return;
        }
        List<RunState> waiting = claims();
        Set<String> blocked = signals.inConflict(RunSlots.waiting(waiting));
        RunSlots.next(waiting, most, run -> blocked.contains(run.runId()))
                .forEach(runId -> start(runs.get(runId))
                        .onFailure(cause -> LOG.warn("run {} waits on: {}", runId, cause.getMessage())));
    }

    /** Returns the runs that wait for a slot only, the longest waiting first. */
    List<String> waiting() {
        if (closed || !open || isFree() || !isAwaited()) {
            return List.of();
        }
        List<RunState> known = claims();
        Set<String> blocked = signals.inConflict(RunSlots.waiting(known));
        return RunSlots.next(
                known,
                RunSlots.NO_LIMIT,
                run -> blocked.contains(run.runId()) || startingRuns.containsKey(run.runId()));
    }

    /** Whether any run waits. A quick check, since it runs after each start and end. */
    private boolean isAwaited() {
        for (RunActor run : runs.values()) {
            if (RunSlots.waits(run.claim())) {
                return true;
            }
        }
        return false;
    }

    /** Starts a queued run if a slot is free; else the run stays queued. */
    static Future<?> start(RunActor run) {
        return run.ask(new RunInput.Start(Instants.now()));
    }

    /** Holds a slot for a run that starts at its creation, until {@link #release}. */
    void hold(RunState starting) {
        startingRuns.put(starting.runId(), starting);
    }

    /** Ends the hold, whether the run was created or not. */
    void release(String runId) {
        startingRuns.remove(runId);
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
