package dev.loopkeeper.contract.run;

import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.process.KillRole;

/** Event-bus channels of the scheduler. */
public final class RunChannels {
    /** Creates a run. */
    public static final RequestChannel<StartRun, RunAnswer> START = of("start", StartRun.class, RunAnswer.class);
    /** Stops a run. */
    public static final RequestChannel<StopRun, RunAnswer> STOP = of("stop", StopRun.class, RunAnswer.class);
    /** Ends a run with the caller's reason. */
    public static final RequestChannel<EndRun, RunAnswer> END = of("end", EndRun.class, RunAnswer.class);
    /** Pauses a run. */
    public static final RequestChannel<PauseRun, RunAnswer> PAUSE = of("pause", PauseRun.class, RunAnswer.class);
    /** Records a notice in a run. */
    public static final RequestChannel<RecordNotice, RunAnswer> REMARK =
            of("remark", RecordNotice.class, RunAnswer.class);
    /** Resumes a run. */
    public static final RequestChannel<ResumeRun, RunAnswer> RESUME = of("resume", ResumeRun.class, RunAnswer.class);
    /**
     * Ends all live steps of one role, within their grace. Answered by the
     * {@link dev.loopkeeper.contract.process.KillReceipt}; refused with {@code not-found} if there is no such step.
     */
    public static final RequestChannel<KillRole, RunAnswer> KILL = of("kill", KillRole.class, RunAnswer.class);
    /** Returns the run object. */
    public static final RequestChannel<GetRun, RunAnswer> GET = of("get", GetRun.class, RunAnswer.class);
    /** Lists run objects, newest first. */
    public static final RequestChannel<ListRuns, RunList> LIST = of("list", ListRuns.class, RunList.class);
    /** Returns the checkpoint: run object, format version, manifest, items. */
    public static final RequestChannel<GetRun, RunAnswer> CHECKPOINT = of("checkpoint", GetRun.class, RunAnswer.class);
    /** Returns a page of steps as {@link dev.loopkeeper.view.StepPage}. */
    public static final RequestChannel<ListSteps, RunAnswer> STEP_PAGE =
            of("step-page", ListSteps.class, RunAnswer.class);
    /** Returns one step as {@link dev.loopkeeper.view.Step}. */
    public static final RequestChannel<GetStep, RunAnswer> STEP = of("step", GetStep.class, RunAnswer.class);
    /** Returns items as {@link dev.loopkeeper.view.ItemPage}. */
    public static final RequestChannel<ListItems, RunAnswer> ITEMS = of("items", ListItems.class, RunAnswer.class);
    /** Returns why the run has its status, and the next actions. */
    public static final RequestChannel<GetRun, RunAnswer> EXPLAIN = of("explain", GetRun.class, RunAnswer.class);

    /** Returns open steps from memory. */
    public static final RequestChannel<ListOpenSteps, OpenSteps> OPEN_STEPS =
            of("open-steps", ListOpenSteps.class, OpenSteps.class);

    /** Returns the activity of a run of this process from memory. */
    public static final RequestChannel<GetRun, Doing> DOING = of("doing", GetRun.class, Doing.class);

    /** Returns the active runs; if there are none, no more work is taken. */
    public static final RequestChannel<Settle, Settled> SETTLE = of("settle", Settle.class, Settled.class);

    /** Ends a run because its runtime stops. */
    public static final RequestChannel<InterruptRun, InterruptRun> INTERRUPT =
            of("interrupt", InterruptRun.class, InterruptRun.class);
    /** Takes no more work. */
    public static final RequestChannel<Drain, Drain> DRAIN = of("drain", Drain.class, Drain.class);

    /** Skips the grace of agents that end with the runtime. */
    public static final RequestChannel<SkipGrace, SkipGrace> SKIP_GRACE = of("hurry", SkipGrace.class, SkipGrace.class);

    /** Continues runs that this process owns from now on. */
    public static final RequestChannel<TakeUpRuns, TakenUp> TAKE_UP = of("take-up", TakeUpRuns.class, TakenUp.class);
    /** Forgets all runs, because this process no longer owns any. */
    public static final RequestChannel<DropRuns, DropRuns> DROP = of("drop", DropRuns.class, DropRuns.class);
    /** Returns the runs that wait for a slot. */
    public static final RequestChannel<ListWaiting, WaitingRuns> WAITING =
            of("waiting", ListWaiting.class, WaitingRuns.class);
    /** Forgets some of those, because another process will execute them. */
    public static final RequestChannel<LetRunsGo, LetRunsGo> LET_GO = of("let-go", LetRunsGo.class, LetRunsGo.class);

    private RunChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.runs." + name, question, answer);
    }
}
