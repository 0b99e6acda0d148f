package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.statistics.UnitOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * The progress of an item of an {@code each} phase.
 *
 * @param attempt its current or last attempt
 * @param counted whether the statistics include it as ended
 * @param tries earlier results for later launches
 */
@RecordBuilder
public record ItemWork(
        String id, ItemStatus status, @JsonUnwrapped Attempt attempt, boolean counted, EarlierTries tries)
        implements ItemWorkBuilder.With {
    /**
     * An attempt of an item.
     *
     * @param attempts its number, from 1; 0 before the first
     * @param nextStep index of its next step
     * @param last summary of its last ended step
     * @param launched whether it has launched a step
     */
    public record Attempt(int attempts, int nextStep, Optional<StepSummary> last, boolean launched) {
        /** The attempt with this number, without a step. */
        static Attempt begin(int number) {
            return new Attempt(number, 0, Optional.empty(), false);
        }

        /** Whether it has no further step of this many. */
        public boolean isOver(int steps) {
            return nextStep >= steps || isLost();
        }

        /** Whether it ended without approval. */
        @JsonIgnore
        public boolean isLost() {
            return last.filter(note -> note.outcome() != UnitOutcome.APPROVED).isPresent();
        }
    }

    static ItemWork pending(String id, EarlierTries tries) {
        return new ItemWork(id, ItemStatus.PENDING, Attempt.begin(0), false, tries.reset());
    }

    /** The number of begun attempts. */
    public int attempts() {
        return attempt.attempts();
    }

    /** The next attempt begins. */
    public ItemWork nextAttempt() {
        return new ItemWork(id, ItemStatus.RUNNING, Attempt.begin(attempts() + 1), false, tries);
    }

    /** The same attempt begins again. */
    public ItemWork sameAttempt() {
        return withStatus(ItemStatus.RUNNING)
                .withAttempt(new Attempt(attempts(), 0, Optional.empty(), attempt.launched()));
    }

    /** A step of the attempt is launched. */
    public ItemWork launched() {
        return withAttempt(new Attempt(attempts(), attempt.nextStep(), attempt.last(), true));
    }

    public ItemWork after(int index, StepSummary note) {
        return withAttempt(new Attempt(attempts(), index + 1, Optional.of(note), attempt.launched()));
    }

    public ItemWork ended(ItemStatus end, boolean counts) {
        return withStatus(end).withCounted(counts);
    }

    /** Retries the item after its attempt limit was raised. */
    ItemWork reopened() {
        return new ItemWork(id, ItemStatus.PENDING, new Attempt(attempts(), 0, attempt.last(), false), false, tries);
    }

    /** Whether no attempts are left. */
    @JsonIgnore
    public boolean isLost() {
        return status == ItemStatus.REJECTED || status == ItemStatus.FAILED;
    }

    /** Whether the item ended and only a resume can restart it. */
    @JsonIgnore
    public boolean isOver() {
        return status.isOver();
    }
}
