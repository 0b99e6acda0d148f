package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;
import java.util.Optional;

/** A way to resume a paused run. */
public enum ResumeAction implements WireName.WithUnderscores {
    /** Continue. */
    CONTINUE,
    /** Repeat the iteration with the same number. */
    RETRY_ITERATION,
    /** Leave the phase as if it had succeeded. */
    FINISH_LOOP,
    /** End the execution. */
    STOP_LOOP_NOW,
    /** Run the agent named architect if declared, then continue. */
    REFINE_PLAN("architect"),
    /** Run the agent named reflection if declared, then follow its recommendation. */
    CONSULT_REFLECTION("reflection");

    private final Optional<String> agent;

    ResumeAction() {
        this.agent = Optional.empty();
    }

    ResumeAction(String agent) {
        this.agent = Optional.of(agent);
    }

    /** Name of the agent that this action requires. */
    public Optional<String> agent() {
        return agent;
    }
}
