package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.GitState;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.git.ItemBranch;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.RetryReason;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.step.EnvironmentText;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.LaunchContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Derives a launch's context of earlier results from the run's state alone, so that it is the same for an open step at
 * any time and on any node.
 */
public final class LaunchContexts {
    private LaunchContexts() {}

    public static LaunchContext of(RunState state, OpenStep step) {
        StepPosition position = step.position();
        EarlierTries tries = state.tries(position.phase(), item(state, position));
        return new LaunchContext(
                LaunchContext.FORMAT,
                StepSpecs.identity(state, step),
                StepAgents.escalatedFrom(state, position),
                Optional.of(EnvironmentText.of(StepSpecs.feedback(state, position)))
                        .filter(text -> !text.isBlank()),
                tries.last().or(() -> lastOfPhaseBefore(state)),
                failure(state, position),
                tries.history(),
                tries.omitted(),
                LimitsLeft.of(state, step, StepSpecs.agent(state, step).limits().timeout()));
    }

    /**
     * Why a launch at this position is a retry. A missing signal or a full context window precedes the reason of the
     * attempt.
     */
    static Optional<Failure> failure(RunState state, StepPosition position) {
        EarlierTries tries = state.tries(position.phase(), item(state, position));
        return Optional.ofNullable(state.retries().get(position.key()))
                .filter(again -> again.reason() == RetryReason.SIGNAL || again.reason() == RetryReason.OVERFLOW)
                .flatMap(again -> repeated(position, tries).findFirst())
                .or(() -> Failure.first(failures(state, position, tries)));
    }

    private static Stream<Failure> repeated(StepPosition position, EarlierTries tries) {
        return tries.repeated().stream()
                .filter(again -> again.slot().equals(position.key()))
                .map(EarlierTries.Repeated::failure);
    }

    /** A consultation concerns the work in which the run paused. */
    private static Optional<String> item(RunState state, StepPosition position) {
        return position.kind() == StepKind.CONSULTATION
                ? state.consultation()
                        .flatMap(consultation -> consultation.pause().position())
                        .flatMap(StepPosition::item)
                : position.item();
    }

    /** Skips phases without a verdict, such as gates. */
    private static Optional<LaunchContext.Last> lastOfPhaseBefore(RunState state) {
        List<PhaseSpec> phases = state.manifest().phases();
        int index = Math.min(state.cursor().phaseIndex(), phases.size());
        return IntStream.iterate(index - 1, previous -> previous >= 0, previous -> previous - 1)
                .mapToObj(previous -> state.cursor().tries(phases.get(previous).name()))
                .flatMap(tries -> tries.last().stream())
                .findFirst();
    }

    private static Stream<Failure> failures(RunState state, StepPosition position, EarlierTries tries) {
        return Stream.of(
                        ofNextGate(state).stream(),
                        conflict(state, position).stream(),
                        repeated(position, tries).findFirst().or(tries::failure).stream())
                .flatMap(failures -> failures);
    }

    private static Optional<Failure> conflict(RunState state, StepPosition position) {
        Optional<List<String>> files = position.item()
                .flatMap(item -> state.git().flatMap((GitState git) -> git.item(item)))
                .map(ItemBranch::conflicts)
                .filter(names -> !names.isEmpty());
        return files.map(names -> Failure.of(
                        FailureKind.MERGE_CONFLICT,
                        WorktreeNames.conflict(state, position.item().orElseThrow())
                                .orElseThrow())
                .withFiles(names));
    }

    /** The failure of the gate that reran the current phase. */
    private static Optional<Failure> ofNextGate(RunState state) {
        List<PhaseSpec> phases = state.manifest().phases();
        int next = state.cursor().phaseIndex() + 1;
        return next < phases.size() && phases.get(next) instanceof GatePhase gate
                ? state.cursor().tries(gate.name()).failure()
                : Optional.empty();
    }
}
