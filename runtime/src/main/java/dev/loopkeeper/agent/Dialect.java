package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.util.Optional;
import java.util.Set;

/** Interprets an agent's events in order. Unknown types and fields are ignored. */
interface Dialect {
    /** How to find the words of the main agent in its events. */
    SpokenText.Speech speech();

    /** A new translator of one output to lines for people. */
    JsonLines.Words words();

    /** The fields of an event that are read. */
    WantedFields fieldsOfInterest();

    /** The event types that are read. */
    Set<String> types();

    /** An object on standard output; its type may be unknown when the type is not its first field. */
    void event(ObjectNode event);

    /** An object on standard error. */
    default void diagnostic(ObjectNode event) {}

    Usage usage();

    Optional<String> sessionId();

    /** The reported totals of the session, which may have begun in an earlier launch. */
    default Usage sessionTotals() {
        return Usage.UNKNOWN;
    }

    /** Whether the agent began to work, in addition to what {@link #usage} shows. */
    default boolean worked() {
        return false;
    }

    Optional<FinalRecord> finalRecord();

    /** The last failure that the agent reported and did not overcome; used when there is no final record. */
    Optional<StructuredError> lastFailure();

    /** Adds facts from the exit code to a failure. */
    default FinalRecord completed(FinalRecord failure, int exitCode) {
        return failure;
    }

    /** Whether the last lines of standard error may complete a record. */
    default boolean usesStderr() {
        return false;
    }

    /** The agent's own retries reported on standard output. */
    default OwnRetries retries() {
        return OwnRetries.NONE;
    }

    /**
     * The meaning of an exit code without a final record.
     *
     * @param stderr last lines of standard error
     */
    default Optional<FinalRecord> meaningOf(int exitCode, String stderr) {
        return Optional.empty();
    }
}
