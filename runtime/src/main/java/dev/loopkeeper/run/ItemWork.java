package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * The progress of an item of an {@code each} phase.
 *
 * @param attempts begun so far
 * @param nextStep index of the attempt's next step
 * @param last summary of the attempt's last ended step
 * @param launched whether the current attempt has launched a step
 * @param counted whether the statistics include it as ended
 * @param tries earlier results for later launches
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
    /** Missing fields become empty. */
    public ItemWork {
        tries = tries == null ? EarlierTries.NONE : tries;
    }

    static ItemWork pending(String id, EarlierTries tries) {
        return new ItemWork(id, ItemStatus.PENDING, 0, 0, Optional.empty(), false, false, tries.reset());
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

    /** Retries the item after its attempt limit was raised. */
    ItemWork reopened() {
        return new ItemWork(id, ItemStatus.PENDING, attempts, 0, last, false, false, tries);
    }

    /** Removes the item from the statistics, which start again. */
    ItemWork uncounted() {
        return new ItemWork(id, status, attempts, nextStep, last, launched, false, tries);
    }

    ItemWork with(EarlierTries changed) {
        return new ItemWork(id, status, attempts, nextStep, last, launched, counted, changed);
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
