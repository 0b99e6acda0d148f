package dev.loopkeeper.rules.message;

import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The expected refusal of a request.
 *
 * @param code what programs read
 * @param message one sentence with the remedy
 * @param details further members of the problem document, in their order: {@code allowedActions}, next actions; {@code
 * missing}, missing requirements of a resume; {@code runId} and {@code path}, the run and its signal file
 */
public record Refusal(RefusalCode code, String message, Map<String, Object> details) {
    /** Copies the details. */
    public Refusal {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** A refusal without details. */
    public Refusal(RefusalCode code, String message) {
        this(code, message, Map.of());
    }

    /** The refusal of a resume, with next actions and missing requirements; either may be empty. */
    public static Refusal of(
            RefusalCode code, String message, List<ResumeAction> allowedActions, List<String> missing) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!allowedActions.isEmpty()) {
            details.put("allowedActions", allowedActions);
        }
        if (!missing.isEmpty()) {
            details.put("missing", missing);
        }
        return new Refusal(code, message, details);
    }

    /** Another run uses a signal file of this run. */
    public static Refusal of(SignalInUse inUse) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("runId", inUse.runId());
        details.put("path", inUse.path());
        return new Refusal(RefusalCode.SIGNAL_IN_USE, inUse.message(), details);
    }
}
