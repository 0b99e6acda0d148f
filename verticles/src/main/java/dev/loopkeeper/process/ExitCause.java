package dev.loopkeeper.process;

/** Why a step's process is no more. */
public enum ExitCause {
    /** It ended by itself, or by a signal that was not ours. */
    EXITED,
    /** The run was stopped, or the step was superseded. */
    STOPPED,
    /** An operator killed this role. */
    KILLED,
    /** The hard limit passed. */
    TIMEOUT,
    /** Nothing moved for too long. */
    IDLE,
    /** It never started: no such command, unreadable prompt, no folder. */
    LAUNCH_FAILED,
    /** It is gone and nothing recorded how, as after a reboot. */
    VANISHED
}
