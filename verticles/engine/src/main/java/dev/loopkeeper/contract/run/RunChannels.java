package dev.loopkeeper.contract.run;

import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.process.KillRole;

/** Where the scheduler is asked about runs. */
public final class RunChannels {
    /** Create a run. */
    public static final RequestChannel<StartRun, RunAnswer> START = of("start", StartRun.class, RunAnswer.class);
    /** Stop it. */
    public static final RequestChannel<StopRun, RunAnswer> STOP = of("stop", StopRun.class, RunAnswer.class);
    /** End it with a reason of the caller's. */
    public static final RequestChannel<EndRun, RunAnswer> END = of("end", EndRun.class, RunAnswer.class);
    /** Pause it. */
    public static final RequestChannel<PauseRun, RunAnswer> PAUSE = of("pause", PauseRun.class, RunAnswer.class);
    /** Note something in its record. */
    public static final RequestChannel<RecordNotice, RunAnswer> REMARK =
            of("remark", RecordNotice.class, RunAnswer.class);
    /** Let it go on. */
    public static final RequestChannel<ResumeRun, RunAnswer> RESUME = of("resume", ResumeRun.class, RunAnswer.class);
    /**
     * End every live step of one role, which may take as long as its grace; answers with the
     * {@link dev.loopkeeper.contract.process.KillReceipt}. Refused with {@code not-found} where no such step lives.
     */
    public static final RequestChannel<KillRole, RunAnswer> KILL = of("kill", KillRole.class, RunAnswer.class);
    /** The run object. */
    public static final RequestChannel<GetRun, RunAnswer> GET = of("get", GetRun.class, RunAnswer.class);
    /** Run objects, newest first. */
    public static final RequestChannel<ListRuns, RunList> LIST = of("list", ListRuns.class, RunList.class);
    /** The checkpoint: run object, format version, manifest, items. */
    public static final RequestChannel<GetRun, RunAnswer> CHECKPOINT = of("checkpoint", GetRun.class, RunAnswer.class);
    /** Some of its steps, as {@link dev.loopkeeper.view.StepPage}. */
    public static final RequestChannel<ListSteps, RunAnswer> STEP_PAGE =
            of("step-page", ListSteps.class, RunAnswer.class);
    /** One of them, as {@link dev.loopkeeper.view.Step}. */
    public static final RequestChannel<GetStep, RunAnswer> STEP = of("step", GetStep.class, RunAnswer.class);
    /** Its items, as {@link dev.loopkeeper.view.ItemPage}. */
    public static final RequestChannel<ListItems, RunAnswer> ITEMS = of("items", ListItems.class, RunAnswer.class);
    /** Why the run is where it is, and what may be done next. */
    public static final RequestChannel<GetRun, RunAnswer> EXPLAIN = of("explain", GetRun.class, RunAnswer.class);

    /** Which steps are open; cheap, from memory. */
    public static final RequestChannel<ListOpenSteps, OpenSteps> OPEN_STEPS =
            of("open-steps", ListOpenSteps.class, OpenSteps.class);

    /** What a run does that this process carries out; cheap, from memory. */
    public static final RequestChannel<GetRun, Doing> DOING = of("doing", GetRun.class, Doing.class);

    /** What goes on; when nothing does, no more work is taken. */
    public static final RequestChannel<Settle, Settled> SETTLE = of("settle", Settle.class, Settled.class);

    /** End a run with its runtime. */
    public static final RequestChannel<InterruptRun, InterruptRun> INTERRUPT =
            of("interrupt", InterruptRun.class, InterruptRun.class);
    /** Take no more work. */
    public static final RequestChannel<Drain, Drain> DRAIN = of("drain", Drain.class, Drain.class);

    /** Skip the grace of what ends with the runtime. */
    public static final RequestChannel<SkipGrace, SkipGrace> HURRY = of("hurry", SkipGrace.class, SkipGrace.class);

    /** Carry runs on that this process owns from now on. */
    public static final RequestChannel<TakeUpRuns, TakenUp> TAKE_UP = of("take-up", TakeUpRuns.class, TakenUp.class);
    /** Forget all runs: this process owns none of them any more. */
    public static final RequestChannel<DropRuns, DropRuns> DROP = of("drop", DropRuns.class, DropRuns.class);
    /** Which runs wait for a place. */
    public static final RequestChannel<ListWaiting, WaitingRuns> WAITING =
            of("waiting", ListWaiting.class, WaitingRuns.class);
    /** Forget some of those: another process is to carry them out. */
    public static final RequestChannel<LetRunsGo, LetRunsGo> LET_GO = of("let-go", LetRunsGo.class, LetRunsGo.class);

    private RunChannels() {}

    private static <Q, A> RequestChannel<Q, A> of(String verb, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.runs." + verb, question, answer);
    }
}
