package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An expected "no".
 *
 * @param code stable, the {@code code} of the problem document: {@code not-found}, {@code run-exists},
 *     {@code invalid-manifest}, {@code invalid-request}, {@code action-not-allowed}, {@code resume-precondition},
 *     {@code not-resumable}, {@code not-stoppable}, {@code not-pausable}, {@code signal-in-use},
 *     {@code draining}, {@code store-unavailable}
 * @param message one sentence with the remedy
 * @param details further members of the problem document, e.g. {@code {"allowedActions":["continue"]}}
 */
public record Refusal(String code, String message, JsonNode details) {}
