package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.statistics.UnitOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * The progress of an item of an {@code each} phase.
 *
 * @param attempts number of its current or last attempt, from 1; 0 before the first
 * @param nextStep index of the attempt's next step
 * @param last summary of the attempt's last ended step
 * @param launched whether the attempt has launched a step
 * @param counted whether the statistics include it as ended
 * @param tries earlier results for later launches
 */
@RecordBuilder
public record ItemWork(
        String id,
        ItemStatus status,
        int attempts,
        int nextStep,
        Optional<StepSummary> last,
        boolean launched,
        boolean counted,
        EarlierTries tries)
        implements ItemWorkBuilder.With {
    static ItemWork pending(String id, EarlierTries tries) {
        return new ItemWork(id, ItemStatus.PENDING, 0, 0, Optional.empty(), false, false, tries.reset());
    }

    /** The next attempt begins. */
    public ItemWork nextAttempt() {
        return new ItemWork(id, ItemStatus.RUNNING, attempts + 1, 0, Optional.empty(), false, false, tries);
    }

    /** The same attempt begins again. */
    public ItemWork sameAttempt() {
        return withStatus(ItemStatus.RUNNING).withNextStep(0).withLast(Optional.empty());
    }

    public ItemWork after(int index, StepSummary note) {
        return withNextStep(index + 1).withLast(Optional.of(note));
    }

    /** Whether the attempt has no further step of this many. */
    public boolean attemptOver(int steps) {
        return nextStep >= steps || attemptLost();
    }

    /** Whether the attempt ended without approval. */
    public boolean attemptLost() {
        return last.filter(note -> note.outcome() != UnitOutcome.APPROVED).isPresent();
    }

    public ItemWork ended(ItemStatus end, boolean counts) {
        return withStatus(end).withCounted(counts);
    }

    /** Retries the item after its attempt limit was raised. */
    ItemWork reopened() {
        return new ItemWork(id, ItemStatus.PENDING, attempts, 0, last, false, false, tries);
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
