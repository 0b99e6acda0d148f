package dev.loopkeeper.termination;

import static dev.loopkeeper.termination.ResumeAction.CONSULT_REFLECTION;
import static dev.loopkeeper.termination.ResumeAction.CONTINUE;
import static dev.loopkeeper.termination.ResumeAction.FINISH_LOOP;
import static dev.loopkeeper.termination.ResumeAction.REFINE_PLAN;
import static dev.loopkeeper.termination.ResumeAction.RETRY_ITERATION;
import static dev.loopkeeper.termination.ResumeAction.STOP_LOOP_NOW;

import dev.loopkeeper.json.WireName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Explains why a run waits for a person. A test of the gateway compares this list with openapi.json. */
public enum PauseReason implements WireName.WithUnderscores {
    /** A declared signal is missing or invalid. */
    MISSING_SIGNALS("signal missing or invalid", RETRY_ITERATION, CONTINUE, STOP_LOOP_NOW),
    /** An agent asks a question. */
    USER_INPUT_NEEDED("input needed", CONTINUE, REFINE_PLAN, STOP_LOOP_NOW),
    /** A person should review an anomaly. */
    ANOMALY("anomaly", CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
    /** A planning task found no work left. */
    SCOPE_COMPLETE("no work left", FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN),
    /** The loop's review interval is over. */
    CADENCE("review due", CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
    /** A person paused the run. */
    OPERATOR("pause requested", CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
    /** The provider stays unavailable and no fallback is left. */
    PROVIDER_UNAVAILABLE("provider unavailable", CONTINUE, RETRY_ITERATION, STOP_LOOP_NOW),
    /** Processes could not be killed. */
    SURVIVORS("processes could not be killed", CONTINUE, STOP_LOOP_NOW);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker requires another library's type
    private final List<ResumeAction> allowedActions;

    PauseReason(String words, ResumeAction... allowedActions) {
        this.words = words;
        this.allowedActions = List.of(allowedActions);
    }

    /** For people, e.g. {@code review due}. */
    public String words() {
        return words;
    }

    /** Words and codes, e.g. {@code signal missing or invalid (missing_signals, absent)}; a code that repeats the words is left out. */
    public String text(Optional<String> detail) {
        List<String> codes = new ArrayList<>();
        if (!words.equals(wire())) {
            codes.add(wire());
        }
        detail.ifPresent(codes::add);
        return codes.isEmpty() ? words : words + " (" + String.join(", ", codes) + ")";
    }

    /** The next actions, in the order in which they are offered. */
    public List<ResumeAction> allowedActions() {
        return allowedActions;
    }
}
