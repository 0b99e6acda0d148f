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

/** Gives the places for runs under way away, as {@link RunSlots} says. Used from one context only. */
final class RunSlotQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RunSlotQueue.class);

    private final Map<String, RunActor> runs;
    private final SignalClaims signals;
    private final int most;
    /** Those that are about to be created and started. */
    private final Map<String, RunState> coming = new HashMap<>();

    private boolean open;
    private boolean closed;

    /**
     * None is given away before {@link #open} where their number is limited.
     *
     * @param runs those that are loaded, by id; changed elsewhere
     * @param most 0 = no limit
     */
    RunSlotQueue(Map<String, RunActor> runs, SignalClaims signals, int most) {
        this.runs = runs;
        this.signals = signals;
        this.most = most;
    }

    /** Every open run of an earlier runtime is loaded: it is known how many are under way. */
    void open() {
        open = true;
        fill();
    }

    /** No more places are given away. */
    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    boolean isFree() {
        return !closed && (most == 0 || (open && RunSlots.isFree(claims(), most)));
    }

    /** Whether it is known who has which signal file. */
    boolean isOpen() {
        return open;
    }

    /** Starts queued runs while there is a place, and nobody else has a signal file of theirs. */
    void fill() {
        if (closed || !open || !isAwaited()) {
            return;
        }
        List<RunState> waiting = claims();
        Set<String> kept = signals.inConflict(RunSlots.waiting(waiting));
        RunSlots.next(waiting, most, run -> kept.contains(run.runId()))
                .forEach(runId -> start(runs.get(runId))
                        .onFailure(cause -> LOG.warn("run {} waits on: {}", runId, cause.getMessage())));
    }

    /** Runs that wait for nothing but a place; who has waited longest first. */
    List<String> waiting() {
        if (closed || !open || isFree() || !isAwaited()) {
            return List.of();
        }
        List<RunState> known = claims();
        Set<String> kept = signals.inConflict(RunSlots.waiting(known));
        return RunSlots.next(
                known, RunSlots.NO_LIMIT, run -> kept.contains(run.runId()) || coming.containsKey(run.runId()));
    }

    /** Mostly nobody waits, and this is asked after each start and end, with however many runs. */
    private boolean isAwaited() {
        for (RunActor run : runs.values()) {
            if (RunSlots.waits(run.claim())) {
                return true;
            }
        }
        return false;
    }

    /** Starts a queued run if there is a place; else it waits for one. */
    static Future<?> start(RunActor run) {
        return run.ask(new RunInput.Start(Instants.now()));
    }

    /** Keeps a place for a run that starts with its creation, until {@link #release}. */
    void hold(RunState starting) {
        coming.put(starting.runId(), starting);
    }

    /** It is created, or it is not to be. */
    void release(String runId) {
        coming.remove(runId);
    }

    private List<RunState> claims() {
        List<RunState> claims = new ArrayList<>();
        runs.values().forEach(run -> claims.add(run.claim()));
        coming.forEach((runId, state) -> {
            if (!runs.containsKey(runId)) {
                claims.add(state);
            }
        });
        return claims;
    }
}
