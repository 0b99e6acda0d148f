package dev.loopkeeper.agent;

import dev.loopkeeper.step.Classification;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.EscapeSequences;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.StandardReason;
import java.util.List;
import java.util.Optional;

/** Decides how a step ended, from its output and exit. */
final class Ending {
    private static final int LONGEST_DIAGNOSTIC = 2_000;
    private static final int LONGEST_WORD = 200;

    private Ending() {}

    /**
     * Decides by the agent's final record.
     *
     * @param beside further errors, for a record without a cause; the message stays the record's
     */
    static StepReport of(FinalRecord record, List<StructuredError> beside, Reading reading) {
        Optional<Classification> classified = record.error().map(error -> classified(error, beside, reading));
        StandardReason termination = record.termination()
                .orElseGet(() -> reason(classified.map(Classification::kind).orElse(ErrorKind.UNCLASSIFIED)));
        Optional<ErrorContext> context = classified
                .map(Classification::error)
                .map(error -> error.withStopReason(record.stopReason().map(Ending::word)));
        Optional<String> words = record.diagnostic().or(() -> record.error().map(StructuredError::message));
        return StepReport.plain(termination.subtype(), context)
                .withDeliverable(record.deliverable())
                .withDiagnostic(termination.category() == Category.SUCCESS ? record.diagnostic() : words)
                .withResumeAt(classified.flatMap(Classification::resumeAt));
    }

    /** Decides by the exit alone; empty when the output is required. */
    static Optional<StepReport> of(ExitFacts exit, String lastWords) {
        if (exit.raised().isPresent()) {
            ErrorKind reason = exit.raised().get();
            StepReport ended =
                    raised(reason, exit.diagnostic().orElse("ended by Loopkeeper: " + reason.wire()), lastWords);
            return Optional.of(lastWords.isBlank() ? ended.withDiagnostic(exit.diagnostic()) : ended);
        }
        if (exit.notRunnable()) {
            String code = "exit " + exit.exitCode().getAsInt() + ": the command cannot be run";
            return Optional.of(raised(ErrorKind.SESSION_FAILED, code, lastWords));
        }
        if (exit.crashed()) {
            return Optional.of(raised(
                    ErrorKind.CRASHED,
                    exit.exitCode().isEmpty() ? "the process ended without an exit code" : killedBy(exit),
                    lastWords));
        }
        return Optional.empty();
    }

    /** Decides by the first error that can be classified, else by the most detailed one. */
    static StepReport of(List<StructuredError> evidence, StructuredError otherwise, Reading reading) {
        Classification best = classified(evidence, reading).orElseGet(() -> reading.classify(otherwise));
        return StepReport.plain(reason(best.kind()).subtype(), Optional.of(best.error()))
                .withDiagnostic(Optional.of(best.error().message()))
                .withResumeAt(best.resumeAt());
    }

    /** Adds the exit to the message if the error is unclassified, and replaces the message by words if there are any. */
    static StepReport after(StepReport report, String exit, String words) {
        if (report.error().filter(context -> context.is(ErrorKind.UNCLASSIFIED)).isEmpty()) {
            return report;
        }
        String said = words.isBlank() ? report.error().get().message() : words;
        String message = said.startsWith(exit) ? said : exit + ": " + said;
        return report.withError(Optional.of(ErrorContext.of(ErrorKind.UNCLASSIFIED, message)))
                .withDiagnostic(Optional.of(said));
    }

    /** An ending without a classified error. */
    static StepReport plain(StandardReason termination, String diagnostic) {
        return StepReport.plain(termination.subtype(), Optional.empty()).withDiagnostic(Optional.of(diagnostic));
    }

    /** Adds what is known besides, and bounds the raw text. */
    static StepReport complete(StepReport report, Usage usage, Optional<String> lastLines) {
        Optional<String> words = report.diagnostic()
                .map(text -> EscapeSequences.removed(text).strip())
                .filter(text -> !text.isEmpty())
                .map(text -> text.substring(0, Math.min(text.length(), LONGEST_DIAGNOSTIC)));
        return report.withUsage(usage).withDiagnostic(words).withLastLines(lastLines);
    }

    /** The reason for the end of a step that this kind of error ended. */
    private static StandardReason reason(ErrorKind kind) {
        return switch (kind) {
            case AUTH, BILLING, ENTITLEMENT, MODEL_MISSING -> StandardReason.PROVIDER_AUTH;
            case USAGE_WINDOW, RATE_LIMIT, OVERLOADED, SERVER, NETWORK, STREAM_CUT ->
                StandardReason.PROVIDER_UNAVAILABLE;
            case CONTEXT_OVERFLOW -> StandardReason.PROMPT_TOO_LONG;
            case INFRASTRUCTURE -> StandardReason.INFRASTRUCTURE;
            case ABORTED -> StandardReason.INTERRUPTED;
            case CRASHED, NODE_LOST -> StandardReason.CRASHED;
            case BAD_REQUEST, TIMEOUT, IDLE, SESSION_FAILED, BAD_PROMPT, SANDBOX, UNCLASSIFIED ->
                StandardReason.EXECUTION_ERROR;
        };
    }

    private static Classification classified(StructuredError error, List<StructuredError> beside, Reading reading) {
        Classification found = reading.classify(error);
        return found.kind() == ErrorKind.UNCLASSIFIED
                ? classified(beside, reading)
                        .map(other -> new Classification(
                                other.kind(),
                                other.error().withMessage(found.error().message()),
                                other.resumeAt()))
                        .orElse(found)
                : found;
    }

    private static Optional<Classification> classified(List<StructuredError> evidence, Reading reading) {
        return evidence.stream()
                .map(reading::classify)
                .filter(found -> found.kind() != ErrorKind.UNCLASSIFIED)
                .findFirst();
    }

    private static StepReport raised(ErrorKind kind, String message, String lastWords) {
        String words = LastWords.end(lastWords);
        String whole = words.isBlank() ? message : message + ": " + words;
        return StepReport.plain(reason(kind).subtype(), Optional.of(ErrorContext.of(kind, whole)))
                .withDiagnostic(Optional.of(words));
    }

    private static String killedBy(ExitFacts exit) {
        int code = exit.exitCode().getAsInt();
        return "exit " + code + ": killed by SIG" + ExitFacts.DEADLY_SIGNALS.get(code - 128)
                + ", not sent by Loopkeeper";
    }

    /** Names are short; this bounds faulty output. */
    static String word(String text) {
        return text.length() > LONGEST_WORD ? text.substring(0, LONGEST_WORD) : text;
    }
}
