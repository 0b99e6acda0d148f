package dev.loopkeeper.view;

import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One try of one iteration, as little of it as a picture needs.
 *
 * @param sequence of the event that began it; pages are asked for by it
 * @param execution in which it began, from 1
 * @param iteration from 1, counted within the run
 * @param attempt above 1 where the same number was tried again
 * @param verdict of the iteration, else, until it has one, what its last step said, e.g. {@code PROGRESS}
 * @param concern what was said in it last that a person may have to decide, one line
 * @param paused the reason why the run paused in it, the last one
 * @param endedAt absent while it has not ended, and where it was never ended
 * @param costUsd US dollars of its steps, as far as they told; absent where none did
 * @param tokens in and out, as far as they told; absent where none did
 * @param git what its steps committed in the run's worktree; absent where they committed nothing, or have none
 * @param steps in the order in which they began
 */
public record IterationRow(
        long sequence,
        int execution,
        String phase,
        int iteration,
        int attempt,
        Optional<String> verdict,
        Optional<String> concern,
        Optional<PauseReason> paused,
        Instant startedAt,
        Optional<Instant> endedAt,
        OptionalDouble costUsd,
        OptionalLong tokens,
        Optional<Committed> git,
        List<StepBar> steps) {
    /**
     * What its steps committed, summed up: a file that two steps changed counts twice. What differs in the end is
     * between the two commits.
     *
     * @param from full hash of where it began
     * @param head full hash of the newest commit
     * @param commits of steps, one for each that changed something
     */
    public record Committed(String from, String head, int commits, int files, long insertions, long deletions) {}

    /**
     * One step of it.
     *
     * @param endedAt absent while it has not ended
     */
    public record StepBar(
            String stepId, String agent, Step.Status status, Instant startedAt, Optional<Instant> endedAt) {}
}
