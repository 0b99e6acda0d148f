package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;
import java.util.List;

/** Why a step's process is no more. */
public enum ExitCause implements WireName {
    /** It ended by itself, or by a signal that was not ours. */
    EXITED("exited"),
    /** The run was stopped. */
    STOPPED("stopped"),
    /** An operator killed this role. */
    KILLED("killed"),
    /** The hard limit passed. */
    TIMEOUT("timeout"),
    /** Nothing moved for too long. */
    IDLE("idle"),
    /** It never started: no such command, unreadable prompt, no folder. */
    LAUNCH_FAILED("launch-failed"),
    /** It is gone and nothing recorded how, as after a reboot. */
    VANISHED("vanished"),
    /** It went with its node, in a cluster; nothing recorded how. */
    NODE_LOST("node-lost");

    private final String wire;

    ExitCause(String wire) {
        this.wire = wire;
    }

    /** Of the processes that were ended with the agent: those it left behind. What we ended it with is no such. */
    public List<SweptProcess> leftBehind(List<SweptProcess> ended) {
        return this == EXITED || isUnrecorded() ? ended : List.of();
    }

    /** Whether its process is gone and nothing recorded how it ended. */
    public boolean isUnrecorded() {
        return this == VANISHED || this == NODE_LOST;
    }

    @Override
    public String wire() {
        return wire;
    }
}
