package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.loopkeeper.statistics.StopConditionChanges;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * A request to resume a run. Every field is optional. Immutable: {@code ResumeRequest.PLAIN.feedback("mind the tests")}.
 */
@JsonDeserialize(as = ResumeValues.class)
// Without default methods: they would make the two types wait for each other's initialization.
public sealed interface ResumeRequest permits ResumeValues {
    /** An empty request: continue. */
    ResumeRequest PLAIN = ResumeValuesBuilder.builder()
            .stopConditions(StopConditionChanges.NONE)
            .resetItems(List.of())
            .build();

    /** For a paused run; absent: the first allowed action. */
    Optional<ResumeAction> action();

    /** Text for the next step's prompt and environment. */
    Optional<String> feedback();

    /** New cap in US dollars, above the cost so far. */
    OptionalDouble costUsd();

    /** New cap on input and output together. */
    OptionalLong tokens();

    /** New cap on turns. */
    OptionalLong turns();

    /** New cap on active time. */
    Optional<Duration> time();

    /** New limit of the current loop, 0 or more. */
    OptionalInt maxIterations();

    /** New limit of attempts per item, 1 or more. */
    OptionalInt maxAttempts();

    /** Thresholds to replace. */
    StopConditionChanges stopConditions();

    /** Items to restart. */
    List<String> resetItems();

    /** Whether to reset the statistics. */
    boolean resetStatistics();

    /** Whether the operator has fixed the cause of a fatal ending. */
    boolean acknowledge();

    /** Name of the gate to waive. */
    Optional<String> waive();

    /** Overrides preconditions; recorded. */
    boolean force();

    /** Only previews the resume. */
    boolean dryRun();

    /** When to resume; absent: now. */
    Optional<Instant> at();

    /** Replaces the run's manifest. */
    Optional<ChangedManifest> changedManifest();

    /** Where in a trace its requester is. */
    Optional<TraceContext> trace();

    /** Returns a copy with changed fields: {@code request.with(copy -> copy.force(true))}. */
    ResumeRequest with(UnaryOperator<ResumeValuesBuilder> change);

    /** Returns a copy with this action. */
    ResumeRequest action(ResumeAction wished);

    /** Returns a copy without a time that has come. */
    ResumeRequest due(Instant now);

    /** Returns a copy with this text for the next step. */
    ResumeRequest feedback(String text);

    /** Returns a copy with this limit of the current loop, 0 or more. */
    ResumeRequest maxIterations(int limit);

    /** Returns a copy with this limit in US dollars. */
    ResumeRequest costUsd(double cap);

    /** Returns a copy with an acknowledged fatal ending. */
    ResumeRequest acknowledged();

    /** Returns a copy with this changed manifest. */
    ResumeRequest changedManifest(ChangedManifest changed);

    /** The differences of the changed manifest; empty when there is none. */
    List<String> changes();

    /** Applies the changed manifest, if any, to the state. */
    RunState on(RunState state);
}
