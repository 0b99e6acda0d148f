package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;
import java.util.Optional;

/** A way to resume a paused run. */
public enum ResumeAction implements WireName {
    /** Continue. */
    CONTINUE("continue"),
    /** Repeat the iteration with the same number. */
    RETRY_ITERATION("retry_iteration"),
    /** Leave the phase as if it had succeeded. */
    FINISH_LOOP("finish_loop"),
    /** End the execution. */
    STOP_LOOP_NOW("stop_loop_now"),
    /** Run the agent named architect if declared, then continue. */
    REFINE_PLAN("refine_plan", "architect"),
    /** Run the agent named reflection if declared, then follow its recommendation. */
    CONSULT_REFLECTION("consult_reflection", "reflection");

    private final String wire;
    private final Optional<String> agent;

    ResumeAction(String wire) {
        this.wire = wire;
        this.agent = Optional.empty();
    }

    ResumeAction(String wire, String agent) {
        this.wire = wire;
        this.agent = Optional.of(agent);
    }

    /** Name of the agent that this action requires. */
    public Optional<String> agent() {
        return agent;
    }

    @Override
    public String wire() {
        return wire;
    }
}
