package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;
import java.util.List;

/** Explains why a step's process ended. */
public enum ExitCause implements WireName {
    /** The process exited, or a signal from outside Loopkeeper killed it. */
    EXITED,
    /** The run was stopped. */
    STOPPED,
    /** An operator killed the agent. */
    KILLED,
    /** The step exceeded its time limit. */
    TIMEOUT,
    /** The step exceeded its idle limit. */
    IDLE,
    /** The process could not be started: missing command, unreadable prompt, or missing folder. */
    LAUNCH_FAILED,
    /** The process is gone without a recorded exit, e.g. after a reboot. */
    VANISHED,
    /** The launcher ended the process because the runtime died, as {@code onRuntimeDeath: kill} says. */
    RUNTIME_DIED,
    /** The process was lost with its cluster node; its exit is not recorded. */
    NODE_LOST;

    /**
     * The processes that the agent left running, of those that were ended with it. Empty when Loopkeeper ended the
     * agent itself.
     */
    public List<SweptProcess> leftBehind(List<SweptProcess> ended) {
        return this == EXITED || isLoss() ? ended : List.of();
    }

    /** Whether the process is gone although it neither exited nor was asked to: whether it did its work is unknown. */
    public boolean isLoss() {
        return this == VANISHED || this == RUNTIME_DIED || this == NODE_LOST;
    }
}
