package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.statistics.StopConditionChanges;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.termination.ResumeAction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A request to resume a run. Every field is optional.
 *
 * @param action for a paused run; absent: the first allowed action
 * @param feedback text for the next step's prompt and environment
 * @param costUsd new cap in US dollars, above the cost so far
 * @param tokens new cap on input and output together
 * @param turns new cap on turns
 * @param time new cap on active time
 * @param maxIterations new limit of the current loop, 0 or more
 * @param maxAttempts new limit of attempts per item, 1 or more
 * @param stopConditions thresholds to replace
 * @param resetItems items to restart
 * @param resetStatistics whether to reset the statistics
 * @param acknowledge whether the operator has fixed the cause of a fatal ending
 * @param waive name of the gate to waive
 * @param force overrides preconditions; recorded
 * @param dryRun only previews the resume
 * @param at when to resume; absent: now
 * @param changedManifest replaces the run's manifest
 * @param trace where in a trace its requester is
 */
@RecordBuilder
public record ResumeRequest(
        Optional<ResumeAction> action,
        Optional<String> feedback,
        OptionalDouble costUsd,
        OptionalLong tokens,
        OptionalLong turns,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Duration> time,
        OptionalInt maxIterations,
        OptionalInt maxAttempts,
        StopConditionChanges stopConditions,
        List<String> resetItems,
        boolean resetStatistics,
        boolean acknowledge,
        Optional<String> waive,
        boolean force,
        boolean dryRun,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> at,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ChangedManifest> changedManifest,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<TraceContext> trace)
        implements ResumeRequestBuilder.With {
    /** An empty request: continue. */
    public static final ResumeRequest PLAIN = new ResumeRequest(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            StopConditionChanges.NONE,
            List.of(),
            false,
            false,
            Optional.empty(),
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Returns a copy with this action. */
    public ResumeRequest action(ResumeAction wished) {
        return withAction(Optional.of(wished));
    }

    /** Returns a copy without a time that has come. */
    public ResumeRequest due(Instant now) {
        return withAt(at.filter(now::isBefore));
    }

    /** Returns a copy with this text for the next step. */
    public ResumeRequest feedback(String text) {
        return withFeedback(Optional.of(text));
    }

    /** Returns a copy with this limit of the current loop, 0 or more. */
    public ResumeRequest maxIterations(int limit) {
        return withMaxIterations(OptionalInt.of(limit));
    }

    /** Returns a copy with this limit in US dollars. */
    public ResumeRequest costUsd(double cap) {
        return withCostUsd(OptionalDouble.of(cap));
    }

    /** Returns a copy with an acknowledged fatal ending. */
    public ResumeRequest acknowledged() {
        return withAcknowledge(true);
    }

    /** Returns a copy with this changed manifest. */
    public ResumeRequest changedManifest(ChangedManifest changed) {
        return withChangedManifest(Optional.of(changed));
    }

    /** The differences of the changed manifest; empty when there is none. */
    public List<String> changes() {
        return changedManifest.map(ChangedManifest::changes).orElse(List.of());
    }

    /** Applies the changed manifest, if any, to the state. */
    public RunState on(RunState state) {
        return changedManifest.map(changed -> changed.on(state)).orElse(state);
    }
}
