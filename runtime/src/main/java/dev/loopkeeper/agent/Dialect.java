package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Interprets an agent's events in order. Unknown types and fields are ignored. */
abstract class Dialect {
    /** The fields of an event that are read. */
    final WantedFields fields;

    /** The event types that are read. */
    final Set<String> types;

    /** Finds the words of the main agent in an event. */
    final SpokenText.Speech speech;

    /** Creates a translator of one output to lines for people. */
    final Supplier<JsonLines.Words> words;

    Optional<String> sessionId = Optional.empty();
    OptionalDouble cost = OptionalDouble.empty();
    OptionalLong input = OptionalLong.empty();
    OptionalLong output = OptionalLong.empty();
    OptionalLong turns = OptionalLong.empty();
    /** The tokens behind {@link #usage} by model, each counted once. */
    List<ModelTokens> tokens = List.of();

    Optional<FinalRecord> ending = Optional.empty();
    /** The last failure that the agent reported and did not overcome. */
    Optional<StructuredError> failure = Optional.empty();
    /** The agent's own retries. */
    OwnRetries retries = OwnRetries.NONE;
    /** Whether the agent began to work, in addition to what {@link #usage} shows. */
    boolean worked;

    Dialect(WantedFields fields, Set<String> types, SpokenText.Speech speech, Supplier<JsonLines.Words> words) {
        this.fields = fields;
        this.types = types;
        this.speech = speech;
        this.words = words;
    }

    /** An object on standard output, of a type that is read. */
    abstract void event(ObjectNode event);

    /** An object on standard error, of a type that is read. */
    void diagnostic(ObjectNode event) {}

    Usage usage() {
        return new Usage(cost, input, output, turns);
    }

    List<ModelTokens> tokens() {
        return tokens;
    }

    /** The agent works again after a failure. */
    final void overcome() {
        failure = Optional.empty();
        retries = retries.overcome();
    }

    /** The reported totals of the session, which may have begun in an earlier launch. */
    Usage sessionTotals() {
        return Usage.UNKNOWN;
    }

    Optional<FinalRecord> finalRecord() {
        return ending;
    }

    /** The background tasks that the agent started and that have not ended, by id. */
    Set<String> openTasks() {
        return Set.of();
    }

    /** Whether the agent expects to end with this record, because no task was open. */
    boolean isFinal() {
        return finalRecord().isPresent();
    }

    /** Adds facts from the exit code to a failure. */
    FinalRecord completed(FinalRecord record, int exitCode) {
        return record;
    }

    /** Whether the last lines of standard error may complete a record. */
    boolean usesStderr() {
        return false;
    }

    /**
     * The meaning of an exit code without a final record.
     *
     * @param stderr last lines of standard error
     */
    Optional<FinalRecord> meaningOf(int exitCode, String stderr) {
        return Optional.empty();
    }
}
