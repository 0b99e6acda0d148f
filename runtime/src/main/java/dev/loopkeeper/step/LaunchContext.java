package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Describes what came before a launch: the content of {@code context.json} in the step's folder, see {@code
 * docs/what-your-agent-gets.md}.
 *
 * @param formatVersion {@value #FORMAT}
 * @param escalatedFrom the agent that the manifest names at this position, where another one took over
 * @param feedback as in {@code LOOPKEEPER_FEEDBACK} of the launch; absent without feedback
 * @param last the newest verdict on the same work; absent before the first
 * @param failure why this launch is a retry; absent on a first attempt
 * @param history earlier iterations of the loop or attempts of the item, oldest first, the newest {@value
 * #MOST_EARLIER}
 * @param omitted number of older entries
 * @param limits what the launch may still use
 */
@RecordBuilder
public record LaunchContext(
        int formatVersion,
        @JsonUnwrapped StepIdentity step,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> escalatedFrom,
        Optional<String> feedback,
        Optional<Last> last,
        Optional<Failure> failure,
        List<Earlier> history,
        int omitted,
        LaunchLimits limits) {
    /** The format version of the file. */
    public static final int FORMAT = 1;

    /** Entries of the history. */
    public static final int MOST_EARLIER = 20;

    /**
     * A verdict.
     *
     * @param by the step that gave it
     * @param verdict e.g. {@code STALLED} or {@code approved}; {@code FAILED} for a step without a valid result
     * @param concern the concern of the signal
     * @param at when that step ended
     */
    public record Last(@JsonUnwrapped Judge by, String verdict, Optional<String> concern, Instant at) {}

    /** The step that gave a verdict. */
    public record Judge(String stepId, String agent, Optional<Integer> iteration, Optional<String> item, int attempt) {}

    /**
     * An earlier iteration of a loop, or an earlier attempt of an item.
     *
     * @param iteration absent for items
     * @param verdict {@code FAILED} where a step failed
     * @param concern the concern of its signal
     * @param costUsd of its steps; absent where none reported a cost
     * @param changedFiles changed by its commits; absent when unknown
     * @param escalated its agents that took over from others
     */
    public record Earlier(
            Optional<Integer> iteration,
            int attempt,
            String verdict,
            Optional<String> concern,
            OptionalDouble costUsd,
            OptionalInt changedFiles,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> escalated) {}

    /** A context without earlier results. */
    public static LaunchContext nothing(StepIdentity step) {
        return LaunchContextBuilder.builder()
                .formatVersion(FORMAT)
                .step(step)
                .history(List.of())
                .limits(LaunchLimits.NONE)
                .build();
    }

    /** Whether nothing came before the launch. */
    @JsonIgnore
    public boolean isEmpty() {
        return feedback.isEmpty() && last.isEmpty() && failure.isEmpty() && history.isEmpty();
    }
}
