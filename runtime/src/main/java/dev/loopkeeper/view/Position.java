package dev.loopkeeper.view;

import java.util.Optional;

/**
 * The position of a run, e.g. {@code {"phase": "build", "iteration": 3, "item": null, "stepId": "build.3.dev.1",
 * "attempt": 1}}.
 *
 * @param phase absent before the first and after the last
 * @param iteration from 1, counted within the run; only in loops
 * @param item only in phases of items
 * @param stepId of the last launched step in this phase
 * @param attempt of that step, from 1
 * @param countedIterations iterations that count against the loop's limit, including the current one; an iteration that
 * a question interrupted does not count, so this may be less than {@code iteration}; only in loops
 */
public record Position(
        Optional<String> phase,
        Optional<Integer> iteration,
        Optional<String> item,
        Optional<String> stepId,
        Optional<Integer> attempt,
        Optional<Integer> countedIterations) {
    /** The position before the first phase. */
    public static final Position NOWHERE = new Position(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
