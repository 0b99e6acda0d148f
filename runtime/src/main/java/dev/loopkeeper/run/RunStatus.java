package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.termination.Category;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The status of a run. */
public enum RunStatus implements WireName {
    /** Created; waits for a slot or a resume. */
    QUEUED,
    /** Steps run. */
    RUNNING,
    /** A retry or a provider's reset is pending; the run continues automatically. */
    WAITING,
    /** Waits for a person or {@code resumeAt}. */
    PAUSED,
    /** No step starts any more; open steps are ending. */
    STOPPING,
    /** Ended with success. */
    COMPLETED,
    /** Ended at a limit, by an operator, or by a retryable error. */
    STOPPED,
    /** Ended by a cause that a person must fix. */
    FAILED;

    /** Statuses of runs that have not ended. */
    public static final Set<String> OPEN = spellings(RunStatus::isOpen);
    /** Statuses of runs that have ended. */
    public static final Set<String> ENDED = spellings(RunStatus::isEnded);

    /** Statuses of runs that may have an open step. */
    public static final Set<String> ACTIVE =
            spellings(status -> status == RUNNING || status == WAITING || status == STOPPING);

    private static Set<String> spellings(Predicate<RunStatus> condition) {
        return Stream.of(values()).filter(condition).map(RunStatus::wire).collect(Collectors.toUnmodifiableSet());
    }

    /** The status after an ending of this category. */
    public static RunStatus after(Category ending) {
        return switch (ending) {
            case SUCCESS -> COMPLETED;
            case CAPACITY, RETRYABLE -> STOPPED;
            case FATAL -> FAILED;
        };
    }

    /** Whether only a resume can continue the run. */
    public boolean isEnded() {
        return this == COMPLETED || this == STOPPED || this == FAILED;
    }

    /** Whether the run has not ended. */
    public boolean isOpen() {
        return !isEnded();
    }
}
