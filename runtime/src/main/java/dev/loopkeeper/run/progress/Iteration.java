package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.step.FailureKind;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An iteration in progress.
 *
 * @param number counted within the run from 1
 * @param attempt 1, or more after {@code retry_iteration}
 * @param lost how many of its earlier attempts an interruption ended; the statistics count no retry for them
 * @param nextStep index of the next step to launch; the number of steps when only the loop's check is left
 * @param notes summaries of the ended steps, in order
 */
public record Iteration(
        int number,
        int attempt,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int lost,
        int nextStep,
        List<StepSummary> notes) {

    public static Iteration begin(int number, int attempt, int lost) {
        return new Iteration(number, attempt, lost, 0, List.of());
    }

    public Iteration after(int index, StepSummary note) {
        return new Iteration(number, attempt, lost, index + 1, Copies.plus(notes, note));
    }

    /** The step that determines the result: the failed one, else the last one with a rating, else the last one. */
    public Optional<StepSummary> speaker() {
        Optional<StepSummary> failed = last(StepSummary::failed);
        Optional<StepSummary> judge = last(note -> note.rating().given());
        Optional<StepSummary> decided = failed.or(() -> judge).or(() -> last(note -> true));
        boolean says = decided.flatMap(StepSummary::finding).isPresent();
        return says ? decided : last(note -> note.finding().isPresent()).or(() -> decided);
    }

    /** What an agent said of its work before a check that did not pass: the check does not say what was tried. */
    Optional<String> workConcern() {
        boolean checked = !failed()
                && speaker()
                        .flatMap(StepSummary::finding)
                        .flatMap(Finding::errorContext)
                        .isPresent();
        Optional<StepSummary> worker = last(
                note -> checked && note.finding().flatMap(Finding::keyConcern).isPresent());
        return worker.flatMap(StepSummary::finding).map(Finding::words);
    }

    /** The digest of the workspace after its last step, if one was taken. */
    Optional<String> workspace() {
        return last(note -> note.loop().workspace().isPresent())
                .flatMap(note -> note.loop().workspace());
    }

    private Optional<StepSummary> last(Predicate<StepSummary> kind) {
        return notes.stream().filter(kind).reduce((earlier, later) -> later);
    }

    public boolean failed() {
        return notes.stream().anyMatch(StepSummary::failed);
    }

    /** Whether no further step of it is launched: one failed, or changed protected files. */
    public boolean isCut() {
        return failed() || isRejected();
    }

    /** Whether a step changed protected files. */
    boolean isRejected() {
        return notes.stream()
                .flatMap(note -> note.failure().stream())
                .anyMatch(why -> why.kind() == FailureKind.REJECTED);
    }

    /** Returns a copy without failures, for the record after a retry. */
    public Iteration withoutFailures() {
        return new Iteration(
                number,
                attempt,
                lost,
                nextStep,
                notes.stream().map(note -> note.withFailure(Optional.empty())).toList());
    }

    /** Returns how many attempts were made of it, without lost ones. */
    public int counted() {
        return attempt - lost;
    }

    /** Whether this step ended in the iteration. */
    boolean holds(String stepId) {
        return notes.stream().anyMatch(note -> note.stepId().equals(stepId));
    }

    public boolean ended(String agent) {
        return notes.stream().anyMatch(note -> note.agent().equals(agent));
    }

    public boolean optsOut() {
        return notes.stream().anyMatch(note -> note.loop().optsOut());
    }

    public boolean discontinued() {
        return notes.stream().anyMatch(note -> note.loop().discontinues());
    }

    public boolean matched() {
        return notes.stream().anyMatch(note -> note.loop().matched());
    }
}
