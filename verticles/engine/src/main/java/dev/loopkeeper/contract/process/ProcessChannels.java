package dev.loopkeeper.contract.process;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/** Event-bus channels of the process supervisor. */
public final class ProcessChannels {
    /** Launches or adopts a step. */
    public static final RequestChannel<LaunchStep, StepLaunched> LAUNCH =
            new RequestChannel<>("loopkeeper.processes.launch", LaunchStep.class, StepLaunched.class);
    /** Stops the process tree of a step. */
    public static final RequestChannel<StopStep, KillReceipt> STOP =
            new RequestChannel<>("loopkeeper.processes.stop", StopStep.class, KillReceipt.class);
    /** Retries to end processes that an ended step left alive. */
    public static final RequestChannel<SweepStep, KillReceipt> SWEEP =
            new RequestChannel<>("loopkeeper.processes.sweep", SweepStep.class, KillReceipt.class);
    /** Lists live agents. */
    public static final RequestChannel<ListProcesses, ProcessList> LIST =
            new RequestChannel<>("loopkeeper.processes.list", ListProcesses.class, ProcessList.class);
    /** Ends one role of a run. */
    public static final RequestChannel<KillRole, KillReceipt> KILL =
            new RequestChannel<>("loopkeeper.processes.kill", KillRole.class, KillReceipt.class);
    /** Finds and ends orphaned processes. */
    public static final RequestChannel<ReapStrays, Reaped> REAP =
            new RequestChannel<>("loopkeeper.processes.reap", ReapStrays.class, Reaped.class);
    /** Ends agents that must not outlive the runtime. */
    public static final RequestChannel<StopAll, StoppedAll> STOP_ALL =
            new RequestChannel<>("loopkeeper.processes.stop-all", StopAll.class, StoppedAll.class);
    /** A launch was answered. */
    public static final EventChannel<StepLaunched> LAUNCHED =
            new EventChannel<>("loopkeeper.processes.launched", StepLaunched.class);
    /** A step's processes are gone. */
    public static final EventChannel<StepExited> EXITED =
            new EventChannel<>("loopkeeper.processes.exited", StepExited.class);

    private ProcessChannels() {}
}
