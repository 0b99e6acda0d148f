package dev.loopkeeper.cli.follow;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Shortens the lines of the iterations of one run, as there may be thousands: the line of an iteration's first step names
 * the iteration, and the verdict has a line only if the lines of the steps do not say the same.
 */
final class IterationLines {
    private final Console console;
    /** The iteration that has begun, until a line names it; e.g. {@code iteration 3 (attempt 2)}. */
    private Optional<String> title = Optional.empty();
    /** Whether the steps of the iteration were seen from the first one on. */
    private boolean complete;

    private boolean failed;
    private Optional<StepSummary> rated = Optional.empty();

    IterationLines(Console console) {
        this.console = console;
    }

    /** Returns the lines for an event with this text; an empty text is no line. */
    List<String> lines(RunEvent event, String text) {
        if (event instanceof IterationStarted started) {
            title = Optional.of("iteration " + started.iteration() + ProgressLines.again(started.attempt()));
            complete = true;
            failed = false;
            rated = Optional.empty();
        } else if (event instanceof StepFinished finished) {
            ended(finished);
        }
        if (text.isEmpty()) {
            return List.of();
        }
        Optional<String> named = title;
        title = Optional.empty();
        return event instanceof StepStarted
                ? List.of(
                        named.map(iteration -> iteration + ": " + text.strip()).orElse(text))
                : named.map(iteration -> List.of(iteration, text)).orElseGet(() -> List.of(text));
    }

    private void ended(StepFinished event) {
        Optional<StepSummary> note = Optional.ofNullable(event.note());
        failed = note.filter(StepSummary::failed).isPresent();
        rated = note.filter(step -> step.rating().given()).or(() -> rated);
    }

    /** Returns e.g. {@code iteration 3 STALLED (judge: rejected)}; empty if the lines of the steps say the same. */
    String verdict(IterationFinished event) {
        String iteration = "iteration " + event.iteration() + " ";
        if (!event.result().counts()) {
            return iteration + Paint.YELLOW.on(console, "was interrupted by a question");
        }
        String verdict = event.result().verdict().wire();
        Optional<String> said = rated.flatMap(step -> step.rating().word());
        boolean plain = said.isEmpty() && event.result().verdict() == Verdict.PROGRESS;
        boolean known = event.result().verdict() == Verdict.FAILED
                ? failed
                : plain || said.filter(verdict::equals).isPresent();
        if (complete && known) {
            return "";
        }
        String words = said.filter(word -> !word.equals(verdict))
                .map(word -> " (" + rated.orElseThrow().agent() + ": " + word + ")")
                .orElse("");
        return iteration + Paint.ofVerdict(verdict).on(console, verdict) + words;
    }
}
