package dev.loopkeeper.termination;

import static dev.loopkeeper.termination.ResumeAction.CONSULT_REFLECTION;
import static dev.loopkeeper.termination.ResumeAction.CONTINUE;
import static dev.loopkeeper.termination.ResumeAction.FINISH_LOOP;
import static dev.loopkeeper.termination.ResumeAction.REFINE_PLAN;
import static dev.loopkeeper.termination.ResumeAction.RETRY_ITERATION;
import static dev.loopkeeper.termination.ResumeAction.STOP_LOOP_NOW;

import dev.loopkeeper.json.WireName;
import java.util.List;

/** Why a run waits for a person. The API's document lists them too, and a test of the gateway compares. */
public enum PauseReason implements WireName {
    /** A declared signal is missing or does not count. */
    MISSING_SIGNALS("missing_signals", RETRY_ITERATION, CONTINUE, STOP_LOOP_NOW),
    /** An agent asks. */
    USER_INPUT_NEEDED("user_input_needed", CONTINUE, REFINE_PLAN, STOP_LOOP_NOW),
    /** Something a person should look at. */
    ANOMALY("anomaly", CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
    /** A planning task found nothing left to do. */
    SCOPE_COMPLETE("scope_complete", FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN),
    /** It is time for a look. */
    CADENCE("cadence", CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
    /** A person asked for it. */
    OPERATOR("operator", CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
    /** The provider stays away and no fallback is left. */
    PROVIDER_UNAVAILABLE("provider_unavailable", CONTINUE, RETRY_ITERATION, STOP_LOOP_NOW),
    /** Processes would not die. */
    SURVIVORS("survivors", CONTINUE, STOP_LOOP_NOW);

    private final String wire;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker wants another library's type
    private final List<ResumeAction> allowedActions;

    PauseReason(String wire, ResumeAction... allowedActions) {
        this.wire = wire;
        this.allowedActions = List.of(allowedActions);
    }

    /** What may follow, in the order in which it is offered. */
    public List<ResumeAction> allowedActions() {
        return allowedActions;
    }

    @Override
    public String wire() {
        return wire;
    }
}
