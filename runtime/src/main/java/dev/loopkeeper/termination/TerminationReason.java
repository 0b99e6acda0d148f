package dev.loopkeeper.termination;

import java.util.Optional;

/** A way for an execution to end: one of {@link StandardReason}, or a consumer's own. */
public interface TerminationReason {
    /** What accounting and retry logic read, e.g. {@code error_max_turns}. */
    String subtype();

    /** What the terminal-exhaustion record carries, e.g. {@code convergence-limit}; absent for a success. */
    Optional<String> reasonCode();

    /** The kind of ending. */
    Category category();

    /** What a resume must bring. */
    ResumeNeed resumeNeed();
}
