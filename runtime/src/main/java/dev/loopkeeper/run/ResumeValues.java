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
import java.util.function.UnaryOperator;
import javax.lang.model.element.Modifier;

/** The parts of a {@link ResumeRequest}. */
@RecordBuilder
@RecordBuilder.Options(builderClassModifiers = Modifier.PUBLIC, enableWither = false)
record ResumeValues(
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
        implements ResumeRequest {
    @Override
    public ResumeRequest with(UnaryOperator<ResumeValuesBuilder> change) {
        return change.apply(ResumeValuesBuilder.builder(this)).build();
    }

    @Override
    public ResumeRequest action(ResumeAction wished) {
        return with(copy -> copy.action(Optional.of(wished)));
    }

    @Override
    public ResumeRequest due(Instant now) {
        return with(copy -> copy.at(at.filter(now::isBefore)));
    }

    @Override
    public ResumeRequest feedback(String text) {
        return with(copy -> copy.feedback(Optional.of(text)));
    }

    @Override
    public ResumeRequest maxIterations(int limit) {
        return with(copy -> copy.maxIterations(OptionalInt.of(limit)));
    }

    @Override
    public ResumeRequest costUsd(double cap) {
        return with(copy -> copy.costUsd(OptionalDouble.of(cap)));
    }

    @Override
    public ResumeRequest acknowledged() {
        return with(copy -> copy.acknowledge(true));
    }

    @Override
    public ResumeRequest changedManifest(ChangedManifest changed) {
        return with(copy -> copy.changedManifest(Optional.of(changed)));
    }

    @Override
    public List<String> changes() {
        return changedManifest.map(ChangedManifest::changes).orElse(List.of());
    }

    @Override
    public RunState on(RunState state) {
        return changedManifest.map(changed -> changed.on(state)).orElse(state);
    }
}
