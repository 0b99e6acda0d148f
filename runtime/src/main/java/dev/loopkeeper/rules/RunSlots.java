package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Assigns run slots to queued runs. */
public final class RunSlots {
    /** The value for an unlimited number of slots. */
    public static final int NO_LIMIT = 0;

    private RunSlots() {}

    /** Whether a run in this condition holds a slot. A short wait for a retry does; a pause does not. */
    public static boolean holds(Condition condition) {
        return condition.proceeds() || condition instanceof Condition.Stopping;
    }

    /**
     * Whether a slot is free.
     *
     * @param most 0 = no limit
     */
    public static boolean isFree(Collection<RunState> runs, int most) {
        return most == 0 || free(runs, most) > 0;
    }

    /**
     * The runs to start now, longest waiting first.
     *
     * @param most 0 = no limit
     * @param kept runs that must not start for another reason
     */
    public static List<String> next(Collection<RunState> runs, int most, Predicate<RunState> kept) {
        long free = most == 0 ? runs.size() : free(runs, most);
        return runs.stream()
                .filter(RunSlots::waits)
                .filter(Predicate.not(kept))
                .sorted(Comparator.comparing(RunSlots::waitingSince).thenComparing(RunState::runId))
                .limit(Math.max(0, free))
                .map(RunState::runId)
                .toList();
    }

    /** The runs that wait for a slot. */
    public static List<String> waiting(Collection<RunState> runs) {
        return runs.stream().filter(RunSlots::waits).map(RunState::runId).toList();
    }

    private static long free(Collection<RunState> runs, int most) {
        return most - runs.stream().filter(run -> holds(run.condition())).count();
    }

    /** Whether the run waits for a slot. */
    public static boolean waits(RunState run) {
        return run.condition() instanceof Condition.Queued queued && queued.start();
    }

    private static Instant waitingSince(RunState run) {
        return run.condition() instanceof Condition.Queued queued
                ? queued.pendingResume().map(Condition.PendingResume::since).orElse(run.createdAt())
                : run.createdAt();
    }
}
