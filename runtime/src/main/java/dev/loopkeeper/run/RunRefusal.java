package dev.loopkeeper.run;

import dev.loopkeeper.termination.ResumeAction;
import java.util.List;

/**
 * An expected "no" to a request about a run.
 *
 * @param code {@code action-not-allowed}, {@code resume-precondition}, {@code not-resumable}, {@code not-stoppable} or
 *     {@code not-pausable}
 * @param message one sentence with the remedy
 * @param allowedActions what may be done instead
 * @param missing what a resume lacks, e.g. {@code feedback}
 */
public record RunRefusal(String code, String message, List<ResumeAction> allowedActions, List<String> missing) {}
