package dev.loopkeeper.run;

import java.util.List;

/**
 * One iteration under way.
 *
 * @param number counted within the run from 1
 * @param attempt 1, or more after {@code retry_iteration}
 * @param nextStep index of the next step to launch; the number of steps when only the loop's check is left
 * @param notes of the steps that ended, in order
 */
public record Iteration(int number, int attempt, int nextStep, List<StepNote> notes) {

    static Iteration begin(int number, int attempt) {
        return new Iteration(number, attempt, 0, List.of());
    }

    Iteration after(int index, StepNote note) {
        return new Iteration(number, attempt, index + 1, Copies.plus(notes, note));
    }

    boolean failed() {
        return notes.stream().anyMatch(StepNote::failed);
    }

    boolean ended(String agent) {
        return notes.stream().anyMatch(note -> note.agent().equals(agent));
    }

    boolean optsOut() {
        return notes.stream().anyMatch(StepNote::optsOut);
    }

    boolean discontinued() {
        return notes.stream().anyMatch(StepNote::discontinues);
    }

    boolean matched() {
        return notes.stream().anyMatch(StepNote::matched);
    }
}
