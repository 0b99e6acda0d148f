package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** The places for runs that are under way at the same time: who holds one, and who gets the next. */
public final class RunSlots {
    /** How many may be under way where nothing limits it. */
    public static final int NO_LIMIT = 0;

    private RunSlots() {}

    /** Whether a run that stands so holds a place. A wait for a retry does, it is short; a pause does not. */
    public static boolean holds(Condition condition) {
        return condition instanceof Condition.Running
                || condition instanceof Condition.Waiting
                || condition instanceof Condition.Stopping;
    }

    /**
     * Whether one more run may be under way.
     *
     * @param most 0 = no limit
     */
    public static boolean isFree(Collection<RunState> runs, int most) {
        return most == 0 || free(runs, most) > 0;
    }

    /**
     * The runs that are to be started now, the one that has waited longest first.
     *
     * @param most 0 = no limit
     * @param kept runs that something else keeps from starting
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

    /** The runs that start as soon as they may. */
    public static List<String> waiting(Collection<RunState> runs) {
        return runs.stream().filter(RunSlots::waits).map(RunState::runId).toList();
    }

    private static long free(Collection<RunState> runs, int most) {
        return most - runs.stream().filter(run -> holds(run.condition())).count();
    }

    /** Whether the run starts as soon as it may. */
    public static boolean waits(RunState run) {
        return run.condition() instanceof Condition.Queued queued && queued.start();
    }

    private static Instant waitingSince(RunState run) {
        return run.condition() instanceof Condition.Queued queued
                ? queued.wish().map(Condition.Wish::since).orElse(run.createdAt())
                : run.createdAt();
    }
}
