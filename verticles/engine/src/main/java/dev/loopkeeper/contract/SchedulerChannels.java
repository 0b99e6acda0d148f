package dev.loopkeeper.contract;

import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.view.Activity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Event-bus channels of the process that executes runs, {@code loopkeeper.runs.<command>}, each with its request and
 * answer: which runs and steps are active here, and the takeover and shutdown of runs. The handlers are in
 * {@code scheduler}.
 */
public final class SchedulerChannels {
    /** Returns the activity of a run of this process from memory. */
    public static final RequestChannel<GetRun, RunActivity> ACTIVITY = of("doing", GetRun.class, RunActivity.class);

    /**
     * Answer: the present activity of a run.
     *
     * @param activity of its newest step; empty if this process knows none
     * @param pids of running agents, by step id
     */
    public record RunActivity(Optional<Activity> activity, Map<String, Long> pids) {
        /** The process does not execute the run. */
        public static final RunActivity NOTHING = new RunActivity(Optional.empty(), Map.of());
    }

    /** Returns open steps from memory. */
    public static final RequestChannel<ListOpenSteps, OpenSteps> OPEN_STEPS =
            of("open-steps", ListOpenSteps.class, OpenSteps.class);

    /** Request: the open steps of one run or all runs. */
    public record ListOpenSteps(Optional<String> runId) {}

    /**
     * Answer: the requested steps that have not ended.
     *
     * @param steps as {@code runId/stepId}
     * @param unreadable runs whose record cannot be read, so that any of their steps may be open
     */
    public record OpenSteps(Set<String> steps, Set<String> unreadable) {
        /** Returns whether this step may be open. */
        public boolean mayHold(String runId, String stepId) {
            return unreadable.contains(runId) || steps.contains(runId + "/" + stepId);
        }
    }

    public static final RequestChannel<DrainIfIdle, ActiveRuns> DRAIN_IF_IDLE =
            of("settle", DrainIfIdle.class, ActiveRuns.class);

    /** Request: the active runs. If there are none, no more work is taken from then on. */
    public record DrainIfIdle() {}

    /**
     * Answer to {@link DrainIfIdle}.
     *
     * @param drained whether no run is active and no more work is taken
     * @param runIds sorted ids of active runs; may be empty although {@code drained} is false, while a run begins
     */
    public record ActiveRuns(boolean drained, List<String> runIds) {}

    public static final RequestChannel<Drain, Drain> DRAIN = of("drain", Drain.class, Drain.class);

    /**
     * Command: take no more work, and interrupt runs whose agents do not outlive the runtime. Answered with itself once
     * those runs have ended.
     */
    public record Drain() {}

    public static final RequestChannel<SkipGrace, SkipGrace> SKIP_GRACE = of("hurry", SkipGrace.class, SkipGrace.class);

    /** Command: skip the grace of agents that are ended because the runtime stops. Answered with itself at once. */
    public record SkipGrace() {}

    public static final RequestChannel<InterruptRun, InterruptRun> INTERRUPT =
            of("interrupt", InterruptRun.class, InterruptRun.class);

    /**
     * Command: end a run because its runtime stops; it ends with {@code error_interrupted}. Answered with itself once the
     * run has ended.
     */
    public record InterruptRun(String runId, String why) {}

    public static final RequestChannel<ContinueRuns, ContinueRuns> CONTINUE =
            of("take-up", ContinueRuns.class, ContinueRuns.class);

    /**
     * Command: continue these runs, which this process owns. Answered with itself once the effects are durable;
     * the log names runs that cannot be continued.
     *
     * @param moved whether their open steps ended with another node or this node's former lease, so that none of them is
     *     alive
     */
    public record ContinueRuns(List<String> runIds, boolean moved) {}

    public static final RequestChannel<DropRuns, DropRuns> DROP = of("drop", DropRuns.class, DropRuns.class);

    /**
     * Command: forget all runs, since another process may own them. Ends no process and writes nothing. Answered with
     * itself at once.
     */
    public record DropRuns() {}

    public static final RequestChannel<ListWaiting, WaitingRuns> WAITING =
            of("waiting", ListWaiting.class, WaitingRuns.class);

    /** Request: the runs that only wait for a slot here. */
    public record ListWaiting() {}

    /**
     * Answer to {@link ListWaiting}.
     *
     * @param runIds the run that waits longest is first
     */
    public record WaitingRuns(List<String> runIds) {}

    public static final RequestChannel<ReleaseRuns, ReleaseRuns> RELEASE =
            of("let-go", ReleaseRuns.class, ReleaseRuns.class);

    /**
     * Command: forget these runs if they wait for a slot, since another process will execute them. Answered with itself,
     * with the forgotten runs; runs that have started or have a pending command stay.
     */
    public record ReleaseRuns(List<String> runIds) {}

    private SchedulerChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.runs." + name, question, answer);
    }
}
