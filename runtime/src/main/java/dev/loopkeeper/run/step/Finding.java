package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalReading;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a step's signal that a person needs for a decision. Each kind has at most {@value #MOST_BYTES} bytes,
 * since every decision and view reads them; the signal itself is complete.
 *
 * @param errorContext the error of the step
 * @param refusedValue the invalid value of its signal as JSON, at most 80 characters
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@RecordBuilder
public record Finding(
        Optional<String> keyConcern,
        Optional<String> anomalyType,
        List<String> gaps,
        List<String> questions,
        Optional<ErrorContext> errorContext,
        Optional<String> refusedValue)
        implements FindingBuilder.With {
    /** The exit description before the last lines of a process. */
    private static final Pattern EXIT =
            Pattern.compile("(?:exit \\d{1,3}(?:: killed by SIG[A-Z]+, not sent by Loopkeeper)?"
                    + "|the step exceeded its time limit|the step exceeded its idle limit|an operator killed the step"
                    + "|the run was stopped[^:\\n]*): ");

    private static final int LAST_WORDS = 160;

    static final int MOST_BYTES = 64 * 1024;
    /** Callers get at most 4 KiB of lines, so later text is not read. */
    private static final int MOST_OF_WORDS = 4 * BoundedText.MOST_BYTES;

    public static final Finding NOTHING =
            new Finding(Optional.empty(), Optional.empty(), List.of(), List.of(), Optional.empty(), Optional.empty());

    public static Finding of(
            Optional<Signal> signal, Optional<SignalReading.Invalid> invalid, Optional<ErrorContext> errorContext) {
        return new Finding(
                signal.flatMap(Signal::keyConcern)
                        .filter(text -> !text.isBlank())
                        .map(Finding::bounded),
                signal.flatMap(Signal::anomalyType)
                        .filter(text -> !text.isBlank())
                        .map(Finding::bounded),
                bounded(signal.map(Signal::gaps).orElse(List.of())),
                bounded(signal.map(Signal::questions).orElse(List.of())),
                errorContext,
                invalid.flatMap(SignalReading.Invalid::refusedValue));
    }

    private static String bounded(String text) {
        return BoundedText.beginning(text, MOST_BYTES);
    }

    /** The texts that fit; a mark in the last one shows the cut. */
    private static List<String> bounded(List<String> texts) {
        List<String> kept = new ArrayList<>();
        int left = MOST_BYTES;
        for (String text : texts) {
            String fitting = BoundedText.beginning(text, left);
            kept.add(fitting);
            if (!fitting.equals(text)) {
                return kept;
            }
            left -= BoundedText.bytes(text) + 1;
        }
        return kept;
    }

    /** Whether the finding has content. */
    @JsonIgnore
    public boolean says() {
        return !equals(NOTHING);
    }

    /**
     * One line, e.g. {@code tests were deleted in test_auth.py (regression)}; {@code otherwise} when the finding is
     * empty.
     */
    public String line(String otherwise) {
        Optional<String> words = keyConcern
                .or(() -> asked(questions))
                .or(() -> gaps.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", gaps)))
                .map(OneLine::of)
                .filter(text -> !text.isEmpty())
                .or(() -> errorContext.map(Finding::line));
        return words.orElse(otherwise)
                + anomalyType.map(type -> " (" + OneLine.of(type) + ")").orElse("");
    }

    /** {@link #line} for a person; empty when the finding has none. */
    public Optional<String> concern() {
        return Optional.of(line("")).filter(line -> !line.isBlank());
    }

    /** One line with the question first and the concern after it, since a person must answer the question. */
    public String asking() {
        Optional<String> question = asked(questions).map(OneLine::of).filter(text -> !text.isEmpty());
        Finding rest = withGaps(question.isPresent() ? List.of() : gaps).withQuestions(List.of());
        String said = rest.line("").strip();
        return question.map(text -> said.isEmpty() ? text : text + "; " + said)
                .orElse(said.isEmpty() ? "needs input" : said);
    }

    /** The text with its line breaks, for programs. */
    public String words() {
        Optional<String> words = keyConcern
                .or(() -> questions.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", questions)))
                .or(() -> gaps.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", gaps)))
                .map(text -> BoundedText.readable(BoundedText.beginning(text, MOST_OF_WORDS)))
                .filter(text -> !text.isEmpty())
                .or(() -> errorContext.map(Finding::line));
        return (words.orElse("")
                        + anomalyType.map(type -> " (" + OneLine.of(type) + ")").orElse(""))
                .strip();
    }

    /** An error in one line. The last lines usually explain a long error. */
    public static String line(ErrorContext error) {
        List<String> lines = error.message().strip().lines().toList();
        Matcher exit = EXIT.matcher(error.message());
        if (lines.size() < 2 || !exit.lookingAt()) {
            return OneLine.of(error.message());
        }
        return exit.group() + OneLine.end(error.message().substring(exit.end()), LAST_WORDS);
    }

    private static Optional<String> asked(List<String> questions) {
        int more = questions.size() - 1;
        return questions.stream()
                .findFirst()
                .map(question -> more > 0 ? question + " (and " + more + " more)" : question);
    }

    /** The complete finding as the end of a sentence; empty when the finding is empty. */
    public String complete() {
        List<String> parts = new ArrayList<>();
        if (keyConcern.isPresent() || anomalyType.isPresent() || errorContext.isPresent()) {
            parts.add(withGaps(List.of()).withQuestions(List.of()).line("anomaly"));
        }
        if (!gaps.isEmpty()) {
            parts.add("gaps: " + OneLine.of(String.join("; ", gaps)));
        }
        if (!questions.isEmpty()) {
            parts.add("asks: " + OneLine.of(String.join("; ", questions)));
        }
        return String.join("; ", parts);
    }
}
