package dev.loopkeeper.process;

import dev.loopkeeper.bus.EventChannel;
import dev.loopkeeper.bus.RequestChannel;

/** Where the supervisor is asked, and where it tells. */
public final class ProcessChannels {
    /** Launch or adopt. */
    public static final RequestChannel<LaunchStep, StepLaunched> LAUNCH =
            new RequestChannel<>("loopkeeper.processes.launch", LaunchStep.class, StepLaunched.class);
    /** Stop one step's tree. */
    public static final RequestChannel<StopStep, KillReceipt> STOP =
            new RequestChannel<>("loopkeeper.processes.stop", StopStep.class, KillReceipt.class);
    /** A step is gone. */
    public static final EventChannel<StepExited> EXITED =
            new EventChannel<>("loopkeeper.processes.exited", StepExited.class);

    private ProcessChannels() {}
}
