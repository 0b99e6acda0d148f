package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** Why a launch is another try. Where several hold, the first of this order is reported: what a resume follows comes first. */
public enum FailureKind implements WireName {
    /** The work was cut short: by its provider, a usage window, a crash, a lost node, a stop or a restart. */
    INTERRUPTED("interrupted"),
    /** The signal file was missing or refused. */
    SIGNAL_INVALID("signal-invalid"),
    /** The agent's context window was full. */
    CONTEXT_OVERFLOW("context-overflow"),
    /** An approved attempt of an item could not be merged. */
    MERGE_CONFLICT("merge-conflict"),
    /** The run paused for something that a person had to look at. */
    ANOMALY("anomaly"),
    /** Iterations produced the same result. */
    NO_PROGRESS("no-progress"),
    /** The gate behind the phase did not pass. */
    GATE_FAILED("gate-failed"),
    /** A step failed, or ran into a time limit. */
    STEP_FAILED("step-failed"),
    /** The command that completes the loop did not exit with 0. */
    CHECK_FAILED("check-failed"),
    /** A verdict rejected the work. */
    REJECTED("rejected");

    private final String wire;

    FailureKind(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
