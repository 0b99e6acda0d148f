package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.StructuredError;
import java.util.Optional;

/**
 * An agent's own final record.
 *
 * @param termination absent: determined by the error
 * @param error absent on success and at limits
 * @param stopReason the agent's own stop reason
 * @param diagnostic the raw text of an error
 */
record FinalRecord(
        Optional<String> termination,
        Optional<StructuredError> error,
        Optional<JsonNode> deliverable,
        Optional<String> stopReason,
        Optional<String> diagnostic) {

    static FinalRecord success() {
        return ended(Subtypes.STOP);
    }

    static FinalRecord submitted(JsonNode deliverable) {
        return new FinalRecord(
                Optional.of(Subtypes.SUBMITTED),
                Optional.empty(),
                Optional.of(deliverable),
                Optional.empty(),
                Optional.empty());
    }

    /** An ending that its subtype describes completely. */
    static FinalRecord ended(String termination) {
        return new FinalRecord(
                Optional.of(termination), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** An ending that its error describes. */
    static FinalRecord failed(StructuredError error) {
        return new FinalRecord(
                Optional.empty(), Optional.of(error), Optional.empty(), Optional.empty(), Optional.empty());
    }

    FinalRecord withError(StructuredError newError) {
        return new FinalRecord(termination, Optional.of(newError), deliverable, stopReason, diagnostic);
    }

    FinalRecord withStopReason(Optional<String> newStopReason) {
        return new FinalRecord(termination, error, deliverable, newStopReason, diagnostic);
    }

    FinalRecord withDiagnostic(Optional<String> newDiagnostic) {
        return new FinalRecord(termination, error, deliverable, stopReason, newDiagnostic);
    }

    boolean succeeded() {
        return termination.filter(Subtypes::isSuccess).isPresent();
    }
}
