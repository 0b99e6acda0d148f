package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a person may do with a paused run. */
public enum ResumeAction {
    /** Go on. */
    CONTINUE("continue"),
    /** The same number again. */
    RETRY_ITERATION("retry_iteration"),
    /** Leave the phase as if it had succeeded. */
    FINISH_LOOP("finish_loop"),
    /** End the execution. */
    STOP_LOOP_NOW("stop_loop_now"),
    /** Run the agent named architect if declared, then go on. */
    REFINE_PLAN("refine_plan"),
    /** Run the agent named reflection if declared, then do what it recommends. */
    CONSULT_REFLECTION("consult_reflection");

    private final String wire;

    ResumeAction(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
