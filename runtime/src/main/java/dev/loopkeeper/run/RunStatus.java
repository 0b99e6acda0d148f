package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.termination.Category;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a run stands. */
public enum RunStatus implements WireName {
    /** Created; waits for a place or for a resume. */
    QUEUED("queued"),
    /** Steps run. */
    RUNNING("running"),
    /** A retry or a provider's reset is due; goes on by itself. */
    WAITING("waiting"),
    /** A person must act. */
    PAUSED("paused"),
    /** Nothing new starts; what runs is being ended. */
    STOPPING("stopping"),
    /** Ended with success. */
    COMPLETED("completed"),
    /** Ended at a limit, by an operator, or by an error that may pass. */
    STOPPED("stopped"),
    /** Ended by something a person must fix. */
    FAILED("failed");

    /** The spellings of those of runs that are not over. */
    public static final Set<String> OPEN = spellings(RunStatus::isOpen);
    /** The spellings of those of runs that are. */
    public static final Set<String> ENDED = spellings(RunStatus::isEnded);

    private final String wire;

    RunStatus(String wire) {
        this.wire = wire;
    }

    private static Set<String> spellings(Predicate<RunStatus> wanted) {
        return Stream.of(values()).filter(wanted).map(RunStatus::wire).collect(Collectors.toUnmodifiableSet());
    }

    /** What an execution that ended so leaves its run as. */
    public static RunStatus after(Category ending) {
        return switch (ending) {
            case SUCCESS -> COMPLETED;
            case CAPACITY, RETRYABLE -> STOPPED;
            case FATAL -> FAILED;
        };
    }

    /** Whether nothing but a resume leads out of it. */
    public boolean isEnded() {
        return this == COMPLETED || this == STOPPED || this == FAILED;
    }

    /** Whether the run is not over. */
    public boolean isOpen() {
        return !isEnded();
    }

    @Override
    public String wire() {
        return wire;
    }
}
