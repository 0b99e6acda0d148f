package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalFields.InvalidFieldException;
import java.util.Optional;

/** Converts a JSON object to a signal. Ignores unknown fields and checks known ones. */
final class SignalSchema {
    private SignalSchema() {}

    /**
     * @throws InvalidFieldException for the first invalid field
     */
    static Signal signal(JsonNode root) {
        SignalFields fields = new SignalFields(root, "");
        Signal signal = new Signal(
                fields.choice("status", SignalStatus.class),
                fields.choice("determination", Determination.class),
                fields.choice("verdict", SignalVerdict.class),
                fields.flag("shouldContinue"),
                fields.flag("userInputNeeded").orElse(false),
                fields.texts("questions"),
                fields.text("keyConcern"),
                fields.text("anomalyType"),
                fields.flag("reflectionNeeded"),
                fields.flag("recommendStop").orElse(false),
                fields.text("iterationHealth"),
                fields.text("milestoneNote"),
                fields.choice("recommendedAction", ResumeAction.class),
                fields.choice("readiness", Readiness.class),
                fields.texts("gaps"),
                fields.value("deliverable"),
                fields.nested("usage").map(SignalSchema::usage),
                fields.nested("error").map(SignalSchema::error),
                fields.nested("terminal").map(SignalSchema::terminal),
                root);
        objection(signal).ifPresent(message -> {
            throw new InvalidFieldException(message, Optional.empty());
        });
        return signal;
    }

    private static Usage usage(SignalFields fields) {
        return new Usage(
                fields.amount("costUsd"),
                fields.count("inputTokens"),
                fields.count("outputTokens"),
                fields.count("turns"));
    }

    /** Missing fields take their values from {@link ErrorKind}. */
    private static ErrorContext error(SignalFields fields) {
        String kind = fields.text("kind").orElse("unknown");
        Optional<ErrorKind> known = ErrorKind.of(kind);
        return new ErrorContext(
                fields.text("message").orElse(""),
                fields.choice("category", ErrorCategory.class)
                        .orElse(known.map(ErrorKind::category).orElse(ErrorCategory.UNKNOWN)),
                kind,
                fields.text("stopReason"),
                fields.flag("isTransient")
                        .orElse(known.filter(ErrorKind::isTransient).isPresent()),
                fields.count("retryAfterMs"));
    }

    private static TerminalSignal terminal(SignalFields fields) {
        String reasonCode = fields.text("reasonCode")
                .filter(code -> !code.isBlank())
                .orElseThrow(() -> fields.missing("reasonCode"));
        return new TerminalSignal(
                reasonCode, fields.text("summary").orElse(""), fields.text("taskId"), fields.text("qualifier"));
    }

    private static Optional<String> objection(Signal signal) {
        boolean rates = signal.status().isPresent()
                || signal.determination().isPresent()
                || signal.verdict().isPresent()
                || signal.readiness().isPresent()
                || signal.terminal().isPresent();
        if (!rates) {
            return Optional.of("none of status, determination, verdict, readiness and terminal is present");
        }
        return contradiction(signal);
    }

    /** A determination and a verdict must not contradict each other. */
    private static Optional<String> contradiction(Signal signal) {
        boolean approved = signal.says(SignalVerdict.APPROVED);
        boolean refused = signal.verdict().isPresent() && !approved;
        boolean success = signal.says(Determination.SUCCESS) || signal.says(Determination.MILESTONE_SUCCESS);
        boolean bad = signal.says(Determination.STALLED) || signal.says(Determination.ANOMALY);
        if ((success && refused) || (bad && approved)) {
            return Optional.of("determination "
                    + signal.determination().get().wire() + " and verdict "
                    + signal.verdict().get().wire() + " contradict each other");
        }
        boolean blocked = signal.says(SignalStatus.BLOCKED);
        return blocked && (success || approved)
                ? Optional.of("status blocked contradicts "
                        + (success
                                ? "determination "
                                        + signal.determination().get().wire()
                                : "verdict " + signal.verdict().get().wire()))
                : Optional.empty();
    }
}
