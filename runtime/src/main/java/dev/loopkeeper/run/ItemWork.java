package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * One item of an {@code each} phase.
 *
 * @param attempts begun so far
 * @param nextStep index of the attempt's next step
 * @param last what the attempt's last ended step came to
 * @param launched whether the present attempt launched a step yet
 * @param counted whether the statistics know it as ended
 * @param tries what later launches learn of the attempts before them
 */
public record ItemWork(
        String id,
        ItemStatus status,
        int attempts,
        int nextStep,
        Optional<StepSummary> last,
        boolean launched,
        boolean counted,
        EarlierTries tries) {
    /** What is missing in a record is empty. */
    public ItemWork {
        tries = tries == null ? EarlierTries.NONE : tries;
    }

    static ItemWork pending(String id, EarlierTries tries) {
        return new ItemWork(id, ItemStatus.PENDING, 0, 0, Optional.empty(), false, false, tries.afresh());
    }

    /** The next attempt begins. */
    ItemWork nextAttempt() {
        return new ItemWork(id, ItemStatus.RUNNING, attempts + 1, 0, Optional.empty(), false, false, tries);
    }

    /** The same attempt begins again. */
    ItemWork sameAttempt() {
        return new ItemWork(id, ItemStatus.RUNNING, attempts, 0, Optional.empty(), launched, counted, tries);
    }

    ItemWork withLaunch() {
        return new ItemWork(id, status, attempts, nextStep, last, true, counted, tries);
    }

    ItemWork after(int index, StepSummary note) {
        return new ItemWork(id, status, attempts, index + 1, Optional.of(note), launched, counted, tries);
    }

    ItemWork ended(ItemStatus end, boolean counts) {
        return new ItemWork(id, end, attempts, nextStep, last, launched, counts, tries);
    }

    /** Tried again with the attempts that a higher limit leaves it. */
    ItemWork reopened() {
        return new ItemWork(id, ItemStatus.PENDING, attempts, 0, last, false, false, tries);
    }

    /** No longer in the statistics, which start afresh. */
    ItemWork uncounted() {
        return new ItemWork(id, status, attempts, nextStep, last, launched, false, tries);
    }

    ItemWork with(EarlierTries changed) {
        return new ItemWork(id, status, attempts, nextStep, last, launched, counted, changed);
    }

    /** Whether its attempts are used up. */
    @JsonIgnore
    public boolean isLost() {
        return status == ItemStatus.REJECTED || status == ItemStatus.FAILED;
    }

    /** Whether nothing more happens to it without a resume. */
    @JsonIgnore
    public boolean isOver() {
        return status.isOver();
    }
}
