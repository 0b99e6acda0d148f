package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;
import java.util.Optional;

/** What a person may do with a paused run. */
public enum ResumeAction implements WireName {
    /** Go on. */
    CONTINUE("continue"),
    /** The same number again. */
    RETRY_ITERATION("retry_iteration"),
    /** Leave the phase as if it had succeeded. */
    FINISH_LOOP("finish_loop"),
    /** End the execution. */
    STOP_LOOP_NOW("stop_loop_now"),
    /** Run the agent named architect if declared, then go on. */
    REFINE_PLAN("refine_plan", "architect"),
    /** Run the agent named reflection if declared, then do what it recommends. */
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

    /** Name of the agent without which this action would do nothing. */
    public Optional<String> agent() {
        return agent;
    }

    @Override
    public String wire() {
        return wire;
    }
}
