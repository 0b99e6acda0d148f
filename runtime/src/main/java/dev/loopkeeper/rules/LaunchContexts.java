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
        StepPosition slot = step.slot();
        EarlierTries tries = state.tries(slot.phase(), item(state, slot));
        return new LaunchContext(
                LaunchContext.FORMAT,
                StepSpecs.identity(state, step),
                StepAgents.escalatedFrom(state, slot),
                Optional.of(EnvironmentText.of(StepSpecs.feedback(state, slot))).filter(text -> !text.isBlank()),
                tries.last().or(() -> lastOfPhaseBefore(state)),
                failure(state, slot),
                tries.past().history(),
                tries.past().omitted(),
                LimitsLeft.of(state, step, StepSpecs.agent(state, step).limits().timeout()));
    }

    /**
     * Why a launch at this position is a retry. A missing signal or a full context window precedes the reason of the
     * attempt.
     */
    static Optional<Failure> failure(RunState state, StepPosition slot) {
        EarlierTries tries = state.tries(slot.phase(), item(state, slot));
        return Optional.ofNullable(state.retries().get(slot.key()))
                .filter(again -> again.reason() == RetryReason.SIGNAL || again.reason() == RetryReason.OVERFLOW)
                .flatMap(again -> repeated(slot, tries).findFirst())
                .or(() -> Failure.first(failures(state, slot, tries)));
    }

    private static Stream<Failure> repeated(StepPosition slot, EarlierTries tries) {
        return tries.repeated().stream()
                .filter(again -> again.slot().equals(slot.key()))
                .map(EarlierTries.Repeated::failure);
    }

    /** A consultation concerns the work in which the run paused. */
    private static Optional<String> item(RunState state, StepPosition slot) {
        return slot.kind() == StepKind.CONSULTATION
                ? state.consultation()
                        .flatMap(consultation -> consultation.pause().slot())
                        .flatMap(StepPosition::item)
                : slot.item();
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

    private static Stream<Failure> failures(RunState state, StepPosition slot, EarlierTries tries) {
        return Stream.of(
                        ofNextGate(state).stream(),
                        conflict(state, slot).stream(),
                        repeated(slot, tries).findFirst().or(tries::failure).stream())
                .flatMap(failures -> failures);
    }

    private static Optional<Failure> conflict(RunState state, StepPosition slot) {
        Optional<List<String>> files = slot.item()
                .flatMap(item -> state.git().flatMap((GitState git) -> git.item(item)))
                .map(ItemBranch::conflicts)
                .filter(names -> !names.isEmpty());
        return files.map(names -> Failure.of(
                        FailureKind.MERGE_CONFLICT,
                        WorktreeNames.conflict(state, slot.item().orElseThrow()).orElseThrow())
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
