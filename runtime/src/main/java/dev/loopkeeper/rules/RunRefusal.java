package dev.loopkeeper.rules;

import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;

/**
 * An expected "no" to a request about a run.
 *
 * @param code {@code action-not-allowed}, {@code resume-precondition}, {@code not-resumable}, {@code not-stoppable},
 *     {@code not-pausable} or {@code signal-in-use}
 * @param message one sentence with the remedy
 * @param allowedActions what may be done instead
 * @param missing what a resume lacks, e.g. {@code feedback}
 * @param inUse the signal file that another run has
 */
public record RunRefusal(
        String code,
        String message,
        List<ResumeAction> allowedActions,
        List<String> missing,
        Optional<SignalInUse> inUse) {
    RunRefusal(String code, String message, List<ResumeAction> allowedActions, List<String> missing) {
        this(code, message, allowedActions, missing, Optional.empty());
    }

    /** Another run has a signal file of this one. */
    public static RunRefusal of(SignalInUse inUse) {
        return new RunRefusal("signal-in-use", inUse.message(), List.of(), List.of(), Optional.of(inUse));
    }
}
