package dev.loopkeeper.termination;

import java.util.Optional;

/** A reason for the end of an execution: a {@link StandardReason}, or one that a manifest declares. */
public interface TerminationReason {
    /** Read by accounting and retry logic, e.g. {@code error_max_turns}. */
    String subtype();

    /** Recorded in the terminal exhaustion, e.g. {@code convergence-limit}; absent for a success. */
    Optional<String> reasonCode();

    /** The category of the ending. */
    Category category();

    /** The values that a resume must provide. */
    ResumeNeed resumeNeed();
}
