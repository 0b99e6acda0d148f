package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an operator asks for when a run is to go on. Everything is optional.
 *
 * @param action for a paused run; absent: {@code continue} where allowed, else the first allowed action
 * @param feedback reaches the next step in prompt and environment
 * @param costUsd new cap in US dollars, and so for tokens and turns
 * @param maxIterations new limit of the loop the run is in, 0 or more
 * @param maxAttempts new limit of attempts per item, 1 or more
 * @param stopConditions thresholds to replace
 * @param resetItems items that start afresh
 * @param resetStatistics whether the counts start afresh
 * @param acknowledge whether the operator has taken care of a fatal ending
 * @param waive name of the gate that need not pass
 * @param force overrides a precondition; recorded
 * @param dryRun only tells what would be kept and what redone
 * @param changedManifest replaces the run's manifest from now on
 */
public record ResumeRequest(
        Optional<ResumeAction> action,
        Optional<String> feedback,
        OptionalDouble costUsd,
        OptionalLong tokens,
        OptionalLong turns,
        OptionalInt maxIterations,
        OptionalInt maxAttempts,
        StopConditionChanges stopConditions,
        List<String> resetItems,
        boolean resetStatistics,
        boolean acknowledge,
        Optional<String> waive,
        boolean force,
        boolean dryRun,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ChangedManifest> changedManifest) {

    /** What is missing in a record is absent. */
    public ResumeRequest {
        changedManifest = changedManifest == null ? Optional.empty() : changedManifest;
    }

    /** One that keeps the run's manifest. */
    public ResumeRequest(
            Optional<ResumeAction> action,
            Optional<String> feedback,
            OptionalDouble costUsd,
            OptionalLong tokens,
            OptionalLong turns,
            OptionalInt maxIterations,
            OptionalInt maxAttempts,
            StopConditionChanges stopConditions,
            List<String> resetItems,
            boolean resetStatistics,
            boolean acknowledge,
            Optional<String> waive,
            boolean force,
            boolean dryRun) {
        this(
                action,
                feedback,
                costUsd,
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                force,
                dryRun,
                Optional.empty());
    }

    /** Nothing but "go on". */
    public static final ResumeRequest PLAIN = new ResumeRequest(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            StopConditionChanges.NONE,
            List.of(),
            false,
            false,
            Optional.empty(),
            false,
            false);

    /** The same with this action. */
    public ResumeRequest action(ResumeAction wished) {
        return new ResumeRequest(
                Optional.of(wished),
                feedback,
                costUsd,
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                force,
                dryRun,
                changedManifest);
    }

    /** The same with this text for the next step. */
    public ResumeRequest feedback(String text) {
        return new ResumeRequest(
                action,
                Optional.of(text),
                costUsd,
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                force,
                dryRun,
                changedManifest);
    }

    /** The same with this limit of the loop the run is in, 0 or more. */
    public ResumeRequest maxIterations(int limit) {
        return new ResumeRequest(
                action,
                feedback,
                costUsd,
                tokens,
                turns,
                OptionalInt.of(limit),
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                force,
                dryRun,
                changedManifest);
    }

    /** The same with this cap in US dollars. */
    public ResumeRequest costUsd(double cap) {
        return new ResumeRequest(
                action,
                feedback,
                OptionalDouble.of(cap),
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                force,
                dryRun,
                changedManifest);
    }

    /** The same by an operator who has taken care of a fatal ending. */
    public ResumeRequest acknowledged() {
        return new ResumeRequest(
                action,
                feedback,
                costUsd,
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                true,
                waive,
                force,
                dryRun,
                changedManifest);
    }

    /** The same as it would be carried out with all it lacks overridden. */
    public ResumeRequest carriedOut() {
        return new ResumeRequest(
                action,
                feedback,
                costUsd,
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                true,
                false,
                changedManifest);
    }

    /** The same with this manifest in place of the run's. */
    public ResumeRequest changedManifest(ChangedManifest changed) {
        return new ResumeRequest(
                action,
                feedback,
                costUsd,
                tokens,
                turns,
                maxIterations,
                maxAttempts,
                stopConditions,
                resetItems,
                resetStatistics,
                acknowledge,
                waive,
                force,
                dryRun,
                Optional.of(changed));
    }

    /** What differs in the changed manifest; empty where there is none. */
    public List<String> changes() {
        return changedManifest.map(ChangedManifest::changes).orElse(List.of());
    }

    /** The state of a run with the changed manifest in place, if there is one. */
    public RunState on(RunState state) {
        return changedManifest.map(changed -> changed.on(state)).orElse(state);
    }
}
