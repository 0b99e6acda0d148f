package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.StandardReason;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * An agent's own final record.
 *
 * @param termination absent: determined by the error
 * @param error absent on success and at limits
 * @param stopReason the agent's own stop reason
 * @param diagnostic the raw text of an error
 * @param notices further facts about the result
 */
@RecordBuilder
record FinalRecord(
        Optional<StandardReason> termination,
        Optional<StructuredError> error,
        Optional<JsonNode> deliverable,
        Optional<String> stopReason,
        Optional<String> diagnostic,
        List<AgentNotice> notices)
        implements FinalRecordBuilder.With {
    private static final FinalRecord NOTHING =
            FinalRecordBuilder.builder().notices(List.of()).build();
    private static final int MOST_NAMED = 5;
    private static final int LONGEST_NAME = 200;

    static FinalRecord success() {
        return ended(StandardReason.STOP);
    }

    static FinalRecord submitted(JsonNode deliverable) {
        return ended(StandardReason.SUBMITTED).withDeliverable(Optional.of(deliverable));
    }

    /** An ending that its reason describes completely. */
    static FinalRecord ended(StandardReason termination) {
        return NOTHING.withTermination(Optional.of(termination));
    }

    /** An ending that its error describes. */
    static FinalRecord failed(StructuredError error) {
        return NOTHING.withError(error);
    }

    FinalRecord withError(StructuredError cause) {
        return withError(Optional.of(cause));
    }

    /** Adds a notice that the agent was denied these permissions, if any. */
    FinalRecord withDenied(JsonNode denied, Function<JsonNode, String> name) {
        String names = StreamSupport.stream(denied.spliterator(), false)
                .map(name)
                .distinct()
                .limit(MOST_NAMED)
                .map(text -> OneLine.of(text, LONGEST_NAME))
                .collect(Collectors.joining(", "));
        String message =
                "the agent was denied " + denied.size() + (denied.size() == 1 ? " permission: " : " permissions: ")
                        + names + "; check whether work is missing, and allow in its command what it requires";
        return denied.isArray() && !denied.isEmpty() ? withNotice("permission-denied", message) : this;
    }

    FinalRecord withNotice(String code, String message) {
        return withNotices(Stream.concat(notices.stream(), Stream.of(new AgentNotice(code, message)))
                .toList());
    }

    boolean succeeded() {
        return termination
                .filter(reason -> reason.category() == Category.SUCCESS)
                .isPresent();
    }
}
