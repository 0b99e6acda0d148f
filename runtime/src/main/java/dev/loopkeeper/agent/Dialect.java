package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.util.Optional;
import java.util.Set;

/** What one agent's events mean, fed in their order. Unknown types and fields are ignored. */
interface Dialect {
    /** Fields of an event that are read. */
    WantedFields wanted();

    /** Types of event that are read. */
    Set<String> types();

    /** An object of standard output; it may be of another type when the type did not come first. */
    void event(ObjectNode event);

    /** An object of standard error. */
    default void diagnostic(ObjectNode event) {}

    Usage usage();

    Optional<String> sessionId();

    /** What it reports as totals of the whole session, which may have begun in an earlier launch. */
    default Usage sessionTotals() {
        return Usage.UNKNOWN;
    }

    /** Whether it began to work, beside what {@link #usage} says of it. */
    default boolean worked() {
        return false;
    }

    Optional<FinalRecord> finalRecord();

    /** The last trouble that the agent spoke of and has not overcome; counts only when it says no more. */
    Optional<StructuredError> trouble();

    /** This failure with what the exit code adds to it. */
    default FinalRecord completed(FinalRecord failure, int exitCode) {
        return failure;
    }

    /** Whether the last words on standard error may say what a record leaves open. */
    default boolean tellsMoreOnStderr() {
        return false;
    }

    /** What it told of its own tries on standard output. */
    default OwnRetries retries() {
        return OwnRetries.NONE;
    }

    /**
     * What an exit code of this agent's own means when it left no record.
     *
     * @param stderr its last lines
     */
    default Optional<FinalRecord> meaningOf(int exitCode, String stderr) {
        return Optional.empty();
    }
}
