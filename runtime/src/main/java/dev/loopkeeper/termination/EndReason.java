package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.step.ErrorContext;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A reason for the end of an execution. When several apply, the most important decides.
 *
 * @param subtype of the ending, e.g. {@code error_max_turns}
 * @param summary for people, not shortened
 * @param stopCause the cause in the {@code stop} event; absent for endings without a stop request
 * @param stopReason the exceeded threshold
 * @param errorContext the error of the deciding step
 * @param noProgressSnapshot the iterations that produced the same result
 * @param work the unit of work concerned
 * @param others other reasons that applied, by reason code or stop condition
 */
@RecordBuilder
public record EndReason(
        String subtype,
        Optional<String> reasonCode,
        Category category,
        String summary,
        Optional<StopCause> stopCause,
        Optional<StopReason> stopReason,
        Optional<ErrorContext> errorContext,
        Optional<JsonNode> noProgressSnapshot,
        Optional<WorkRef> work,
        List<String> others)
        implements EndReasonBuilder.With {
    /** The unit of work concerned. */
    public record WorkRef(Optional<String> unit, Optional<String> taskId, Optional<String> qualifier) {}

    public static EndReason of(TerminationReason reason, String summary) {
        return EndReasonBuilder.builder()
                .subtype(reason.subtype())
                .reasonCode(reason.reasonCode())
                .category(reason.category())
                .summary(summary)
                .others(List.of())
                .build();
    }

    public EndReason askedBy(StopCause cause) {
        return withStopCause(Optional.of(cause));
    }

    public EndReason because(StopReason condition) {
        return withStopReason(Optional.of(condition));
    }

    public EndReason because(Optional<ErrorContext> error) {
        return withErrorContext(error);
    }

    public EndReason showing(JsonNode snapshot) {
        return withNoProgressSnapshot(Optional.of(snapshot));
    }

    public EndReason about(Optional<String> unit, Optional<String> taskId, Optional<String> qualifier) {
        return withWork(Optional.of(new WorkRef(unit, taskId, qualifier)));
    }

    public EndReason about(Optional<String> unit) {
        return about(unit, Optional.empty(), Optional.empty());
    }

    /** Whether an external request ends the execution and expects that no process remains. */
    public boolean isAskedFor() {
        return stopCause
                .filter(cause ->
                        cause == StopCause.OPERATOR || cause == StopCause.SIGNAL || cause == StopCause.NODE_LOST)
                .isPresent();
    }

    /** Whether the reason is a limit of the work, after which open steps may complete. */
    public boolean isAwaited() {
        return stopCause
                .filter(cause ->
                        cause == StopCause.STOP_CONDITION || cause == StopCause.NO_PROGRESS || cause == StopCause.LIMIT)
                .isPresent();
    }

    /** The name in the list of other reasons. */
    @JsonIgnore
    public String label() {
        return stopReason.map(reason -> reason.condition().name()).orElseGet(() -> reasonCode.orElse(subtype));
    }

    /** The label of this reason, followed by those of the other reasons. */
    public Stream<String> labels() {
        return Stream.concat(Stream.of(label()), others.stream());
    }

    /** The most important reason, with the others attached. */
    public static EndReason first(List<EndReason> causes) {
        List<String> others = causes.stream().skip(1).flatMap(EndReason::labels).toList();
        return causes.get(0).withOthers(others);
    }

    /** The rank of importance, 0 first. */
    @JsonIgnore
    public int rank() {
        if (is(StandardReason.OPERATOR_STOP) || is(StandardReason.INTERRUPTED)) {
            return 1;
        }
        if (isAskedFor()) { // a client's reason is more specific than a stop
            return 0;
        }
        if (category == Category.FATAL) {
            return 2;
        }
        if (is(StandardReason.BUDGET_EXCEEDED)) {
            return 3;
        }
        if (stopReason.isPresent()) {
            return 3 + stopReason.get().condition().priority();
        }
        return is(StandardReason.NO_PROGRESS) ? 8 : 9;
    }

    private boolean is(StandardReason reason) {
        return reason.subtype().equals(subtype);
    }
}
