package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.EarlierTries;
import dev.loopkeeper.run.GitState;
import dev.loopkeeper.run.ItemBranch;
import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.RetryReason;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepKind;
import dev.loopkeeper.run.StepPosition;
import dev.loopkeeper.step.EnvironmentText;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.LaunchContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a launch knows of what came before, by the run's state and nothing else: the same whenever, and wherever, it is
 * asked while the step is open.
 */
public final class LaunchContexts {
    private LaunchContexts() {}

    /** Of an open step. */
    public static LaunchContext of(RunState state, OpenStep step) {
        StepPosition slot = step.slot();
        EarlierTries tries = state.tries(slot.phase(), item(state, slot));
        return new LaunchContext(
                LaunchContext.FORMAT,
                state.runId(),
                step.stepId(),
                slot.phase(),
                slot.iteration(),
                slot.item(),
                step.attempt(),
                step.agent(),
                Optional.of(EnvironmentText.of(StepSpecs.feedback(state, slot))).filter(text -> !text.isBlank()),
                tries.last().or(() -> lastOfPhaseBefore(state)),
                failure(state, slot),
                tries.history(),
                tries.omitted());
    }

    /**
     * Why a launch in this place is another try. After a missing signal or a full context window it is that,
     * whatever else the present try was begun for.
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

    /** A consultation is about the work that the run paused in. */
    private static Optional<String> item(RunState state, StepPosition slot) {
        return slot.kind() == StepKind.ASIDE
                ? state.aside().flatMap(aside -> aside.pause().slot()).flatMap(StepPosition::item)
                : slot.item();
    }

    /** Phases that gave no verdict, such as gates, are passed over. */
    private static Optional<LaunchContext.Last> lastOfPhaseBefore(RunState state) {
        List<PhaseSpec> phases = state.plan().manifest().phases();
        int index = Math.min(state.cursor().phaseIndex(), phases.size());
        return IntStream.iterate(index - 1, before -> before >= 0, before -> before - 1)
                .mapToObj(before -> state.cursor().tries(phases.get(before).name()))
                .flatMap(tries -> tries.last().stream())
                .findFirst();
    }

    private static Stream<Failure> failures(RunState state, StepPosition slot, EarlierTries tries) {
        return Stream.of(
                        repeated(slot, tries),
                        tries.failure().stream(),
                        conflict(state, slot).stream(),
                        ofGateBehind(state).stream())
                .flatMap(all -> all);
    }

    private static Optional<Failure> conflict(RunState state, StepPosition slot) {
        Optional<List<String>> files = slot.item()
                .flatMap(item -> state.git().flatMap((GitState git) -> git.item(item)))
                .map(ItemBranch::conflicts)
                .filter(names -> !names.isEmpty());
        return files.map(names -> Failure.of(
                        FailureKind.MERGE_CONFLICT,
                        GitRules.conflict(state, slot.item().orElseThrow()).orElseThrow())
                .about(names));
    }

    /** Of the gate that sent the run back to the present phase. */
    private static Optional<Failure> ofGateBehind(RunState state) {
        List<PhaseSpec> phases = state.plan().manifest().phases();
        int next = state.cursor().phaseIndex() + 1;
        return next < phases.size() && phases.get(next) instanceof GatePhase gate
                ? state.cursor().tries(gate.name()).failure()
                : Optional.empty();
    }
}
