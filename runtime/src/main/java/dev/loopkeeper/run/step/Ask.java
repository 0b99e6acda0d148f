package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A question of a running step to a person.
 *
 * @param askId unique in its run, e.g. {@code ask-41}
 * @param key of the command that asks; a repeated key is the same ask
 * @param question empty once it is closed
 * @param choices suggested answers; empty once it is closed
 * @param until when it is closed without an answer
 * @param closed how it was closed; absent while it is open
 */
@RecordBuilder
public record Ask(
        String askId,
        String stepId,
        String key,
        String question,
        List<String> choices,
        Instant since,
        Instant until,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Closed> closed)
        implements AskBuilder.With {
    /** Most bytes of a question with its choices, and of an answer. */
    public static final int MOST_BYTES = 65_536;
    /** The longest wait for an answer. */
    public static final Duration LONGEST_WAIT = Duration.ofHours(24);
    /** The wait without another one. */
    public static final Duration USUAL_WAIT = Duration.ofMinutes(30);
    /** Most open asks of a run. */
    public static final int MOST_OPEN = 20;
    /** Closed asks that a run remembers. */
    public static final int MOST_CLOSED = 50;

    /**
     * How an ask was closed.
     *
     * @param answer kept while the step runs, whose command reads it
     * @param by who answered, as in {@code ask.closed}
     */
    public record Closed(
            AskOutcome outcome,
            Instant at,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> answer,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by) {}

    public boolean isOpen() {
        return closed.isEmpty();
    }

    /** Closes the ask; its texts are in its event. */
    public Ask closed(Closed end) {
        return withQuestion("").withChoices(List.of()).withClosed(Optional.of(end));
    }

    /** Removes the answer, since no command reads it after the end of the step. */
    public Ask afterStep() {
        return withClosed(closed.map(end -> new Closed(end.outcome(), end.at(), Optional.empty(), end.by())));
    }
}
