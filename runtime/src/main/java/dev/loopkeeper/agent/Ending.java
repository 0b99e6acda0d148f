package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.Classification;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.EscapeSequences;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The ending of a step, decided from its output and exit. */
record Ending(
        String termination,
        Optional<ErrorContext> error,
        Optional<JsonNode> deliverable,
        Optional<String> diagnostic,
        Optional<Instant> resumeAt) {
    /** The agent's session as its output reports it. */
    record Session(Optional<String> id, Usage totals, boolean worked) {
        static final Session NONE = new Session(Optional.empty(), Usage.UNKNOWN, false);
    }

    private static final int LONGEST_DIAGNOSTIC = 2_000;
    private static final int LONGEST_WORD = 200;

    /**
     * Decides by the agent's final record.
     *
     * @param beside further errors, for a record without a cause; the message stays the record's
     */
    static Ending of(FinalRecord record, List<StructuredError> beside, Reading reading) {
        Optional<Classification> classified = record.error().map(error -> classified(error, beside, reading));
        String termination = record.termination()
                .orElseGet(
                        () -> Subtypes.of(classified.map(Classification::kind).orElse(ErrorKind.UNCLASSIFIED)));
        Optional<ErrorContext> context = classified
                .map(Classification::error)
                .map(error -> error.withStopReason(record.stopReason().map(Ending::word)));
        Optional<String> words = record.diagnostic().or(() -> record.error().map(StructuredError::message));
        return new Ending(
                termination,
                context,
                record.deliverable(),
                Subtypes.isSuccess(termination) ? record.diagnostic() : words,
                classified.flatMap(Classification::resumeAt));
    }

    /** Decides by the exit alone; empty when the output is required. */
    static Optional<Ending> of(ExitFacts exit, String lastWords) {
        if (exit.raised().isPresent()) {
            ErrorKind reason = exit.raised().get();
            Ending ended = raised(reason, exit.diagnostic().orElse("ended by Loopkeeper: " + reason.wire()), lastWords);
            return Optional.of(lastWords.isBlank() ? ended.explained(exit.diagnostic()) : ended);
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
    static Ending of(List<StructuredError> evidence, StructuredError otherwise, Reading reading) {
        Classification best = classified(evidence, reading).orElseGet(() -> reading.classify(otherwise));
        String words = best.error().message();
        return new Ending(
                Subtypes.of(best.kind()),
                Optional.of(best.error()),
                Optional.empty(),
                Optional.of(words),
                best.resumeAt());
    }

    /** Adds the exit to the message if the error is unclassified, and replaces the message by words if there are any. */
    Ending after(String exit, String words) {
        if (error.filter(context -> context.is(ErrorKind.UNCLASSIFIED)).isEmpty()) {
            return this;
        }
        String said = words.isBlank() ? error.get().message() : words;
        String message = said.startsWith(exit) ? said : exit + ": " + said;
        return new Ending(
                termination,
                Optional.of(ErrorContext.of(ErrorKind.UNCLASSIFIED, message)),
                deliverable,
                Optional.of(said),
                resumeAt);
    }

    /** An ending without a classified error. */
    static Ending plain(String termination, String diagnostic) {
        return new Ending(termination, Optional.empty(), Optional.empty(), Optional.of(diagnostic), Optional.empty());
    }

    AgentReport report(boolean finalRecord, Usage usage, Optional<String> lastLines, Session session) {
        Optional<String> words = diagnostic
                .map(text -> EscapeSequences.removed(text).strip())
                .filter(text -> !text.isEmpty())
                .map(text -> text.substring(0, Math.min(text.length(), LONGEST_DIAGNOSTIC)));
        StepReport summary =
                new StepReport(termination, usage, deliverable, error, resumeAt, words, Optional.empty(), lastLines);
        return new AgentReport(
                summary, finalRecord, session.id().map(Ending::word), session.totals(), session.worked());
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

    private static Ending raised(ErrorKind kind, String message, String lastWords) {
        String words = LastWords.end(lastWords);
        String whole = words.isBlank() ? message : message + ": " + words;
        return new Ending(
                Subtypes.of(kind),
                Optional.of(ErrorContext.of(kind, whole)),
                Optional.empty(),
                Optional.of(words),
                Optional.empty());
    }

    private Ending explained(Optional<String> words) {
        return new Ending(termination, error, deliverable, words, resumeAt);
    }

    private static String killedBy(ExitFacts exit) {
        int code = exit.exitCode().getAsInt();
        return "exit " + code + ": killed by SIG" + ExitFacts.DEADLY_SIGNALS.get(code - 128)
                + ", not sent by Loopkeeper";
    }

    /** Names are short; this bounds faulty output. */
    private static String word(String text) {
        return text.length() > LONGEST_WORD ? text.substring(0, LONGEST_WORD) : text;
    }
}
