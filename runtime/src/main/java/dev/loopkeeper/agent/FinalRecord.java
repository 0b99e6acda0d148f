package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.StructuredError;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * An agent's own final record.
 *
 * @param termination absent: determined by the error
 * @param error absent on success and at limits
 * @param stopReason the agent's own stop reason
 * @param diagnostic the raw text of an error
 */
@RecordBuilder
record FinalRecord(
        Optional<String> termination,
        Optional<StructuredError> error,
        Optional<JsonNode> deliverable,
        Optional<String> stopReason,
        Optional<String> diagnostic)
        implements FinalRecordBuilder.With {

    static FinalRecord success() {
        return ended(Subtypes.STOP);
    }

    static FinalRecord submitted(JsonNode deliverable) {
        return ended(Subtypes.SUBMITTED).withDeliverable(Optional.of(deliverable));
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

    FinalRecord withError(StructuredError cause) {
        return withError(Optional.of(cause));
    }

    boolean succeeded() {
        return termination.filter(Subtypes::isSuccess).isPresent();
    }
}
