package dev.loopkeeper.contract.process;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/** Where the supervisor is asked, and where it tells. */
public final class ProcessChannels {
    /** Launch or adopt. */
    public static final RequestChannel<LaunchStep, StepLaunched> LAUNCH =
            new RequestChannel<>("loopkeeper.processes.launch", LaunchStep.class, StepLaunched.class);
    /** Stop one step's tree. */
    public static final RequestChannel<StopStep, KillReceipt> STOP =
            new RequestChannel<>("loopkeeper.processes.stop", StopStep.class, KillReceipt.class);
    /** Try again to end what an ended step left alive. */
    public static final RequestChannel<SweepStep, KillReceipt> SWEEP =
            new RequestChannel<>("loopkeeper.processes.sweep", SweepStep.class, KillReceipt.class);
    /** Which agents live. */
    public static final RequestChannel<ListProcesses, ProcessList> LIST =
            new RequestChannel<>("loopkeeper.processes.list", ListProcesses.class, ProcessList.class);
    /** End one role of a run. */
    public static final RequestChannel<KillRole, KillReceipt> KILL =
            new RequestChannel<>("loopkeeper.processes.kill", KillRole.class, KillReceipt.class);
    /** Find and end what no open step owns. */
    public static final RequestChannel<ReapStrays, Reaped> REAP =
            new RequestChannel<>("loopkeeper.processes.reap", ReapStrays.class, Reaped.class);
    /** End what must not outlive the runtime. */
    public static final RequestChannel<StopAll, StoppedAll> STOP_ALL =
            new RequestChannel<>("loopkeeper.processes.stop-all", StopAll.class, StoppedAll.class);
    /** A launch was answered. */
    public static final EventChannel<StepLaunched> LAUNCHED =
            new EventChannel<>("loopkeeper.processes.launched", StepLaunched.class);
    /** A step is gone. */
    public static final EventChannel<StepExited> EXITED =
            new EventChannel<>("loopkeeper.processes.exited", StepExited.class);

    private ProcessChannels() {}
}
