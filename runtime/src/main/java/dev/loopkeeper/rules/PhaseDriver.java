package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Advances a run until it must wait, then records its condition. */
final class PhaseDriver {
    private PhaseDriver() {}

    static void run(DecisionBuilder builder) {
        if (mayMove(builder) && builder.mayStart() && !builder.is(Condition.Stopping.class)) {
            recover(builder);
        }
        consult(builder);
        while (mayMove(builder) && advance(builder)) {
            // Each action records at least one event; the last one leaves an open step or a waiting run.
        }
        updateCondition(builder);
    }

    /** Launches the consulted agent, which may have waited for a permit. */
    private static void consult(DecisionBuilder builder) {
        RunState state = builder.state();
        boolean launches = state.condition().proceeds() && state.steps().isEmpty() && builder.mayStart();
        state.consultation()
                .filter(consultation -> launches)
                .ifPresent(consultation -> Resumption.launchConsultation(builder, consultation));
    }

    /** Whether events may be recorded; {@link DecisionBuilder#mayStart} decides about launches. */
    private static boolean mayMove(DecisionBuilder builder) {
        RunState state = builder.state();
        if (state.condition() instanceof Condition.Stopping stopping) {
            return stopping.graceful();
        }
        boolean each = state.cursor().work() instanceof EachWork;
        boolean held = state.pauses().stream().anyMatch(pause -> pause.reason() != PauseReason.OPERATOR);
        return state.condition().proceeds() && state.consultation().isEmpty() && (each || !held);
    }

    /** Launches pending retries that are due, as long as the circuit breaker permits. */
    private static void recover(DecisionBuilder builder) {
        boolean waits = builder.state().retries().values().stream().anyMatch(Retry::waiting);
        if (waits && !builder.isHalted()) {
            relaunchDue(builder);
        }
    }

    private static void relaunchDue(DecisionBuilder builder) {
        List<Retry> due = builder.state().retries().values().stream()
                .filter(retry -> retry.isDue(builder.at()))
                .toList();
        for (Retry retry : due) {
            boolean signals = SignalFiles.free(builder.state(), retry.agent(), retry.position());
            boolean halted = builder.is(Condition.Stopping.class);
            if (!halted
                    && signals
                    && BudgetRules.permitsLaunch(builder.state())) { // else it waits for the end of a step
                builder.launch(retry.position(), retry.agent(), retry.attempt());
            }
        }
    }

    private static boolean advance(DecisionBuilder builder) {
        RunState state = builder.state();
        Optional<PhaseSpec> phase = state.phase();
        Work work = state.cursor().work();
        if (builder.is(Condition.Stopping.class)) {
            return work instanceof EachWork each && EachRules.next(builder, (EachPhase) phase.orElseThrow(), each);
        }
        if (phase.isEmpty()) {
            if (GitRules.clearing(state).isEmpty() && builder.isReady(RunCommand.FinishWorktree.class)) {
                Conclusion.complete(builder);
            }
            return false;
        }
        if (work instanceof LoopWork loop) {
            return LoopRules.next(builder, (LoopPhase) phase.get(), loop);
        }
        if (work instanceof EachWork each) {
            return EachRules.next(builder, (EachPhase) phase.get(), each);
        }
        if (work instanceof Work.Single single) {
            return SingleRules.next(builder, phase.get(), single);
        }
        if (!builder.mayStart() || builder.isHalted()) {
            return false;
        }
        return ItemsRules.begin(builder, phase.get());
    }

    private static void updateCondition(DecisionBuilder builder) {
        RunState state = builder.state();
        Stream<Instant> wakes = Stream.empty();
        if (state.condition() instanceof Condition.Stopping stopping) {
            GitRules.ask(builder);
            if (state.steps().isEmpty()
                    && !builder.asksPermit()
                    && !stopping.sweeping()
                    && GitRules.awaited(state).isEmpty()) {
                stopped(builder, stopping);
            }
        } else if (state.condition().proceeds()
                && state.steps().isEmpty()
                && !state.pauses().isEmpty()) {
            GitRules.ask(builder);
            if (!GitRules.clears(state)) {
                rest(builder, state.pauses().get(0));
            }
        } else if (state.condition().proceeds()) {
            wakes = wakes(builder);
            GitRules.ask(builder);
        }
        Stream.concat(wakes, AskRules.due(builder.state()))
                .min(Comparator.naturalOrder())
                .ifPresent(due -> builder.command(new RunCommand.WakeAt(due)));
    }

    /** The processes that a stop waited for are gone, or could not be killed. */
    static void swept(DecisionBuilder builder, Condition.Stopping stopping) {
        if (GitRules.clears(builder.state())) {
            builder.emit(new RunStopping(stopping.causes().get(0), false, stopping.now(), false));
            updateCondition(builder);
        } else {
            stopped(builder, stopping);
        }
    }

    /** Ends the execution unless processes of it remain. */
    private static void stopped(DecisionBuilder builder, Condition.Stopping stopping) {
        Optional<Pause> survivors = builder.state().pauses().stream()
                .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                .findFirst();
        Optional<EndReason> asked =
                stopping.causes().stream().filter(EndReason::isAskedFor).findFirst();
        boolean tolerated =
                !stopping.sweeping() && !builder.state().toleratedSurvivors().isEmpty();
        if (survivors.isPresent()) {
            rest(builder, survivors.get());
        } else if (tolerated && asked.isPresent()) {
            builder.emit(RunStopping.sweeping(asked.get(), stopping.now()));
            builder.sweep();
        } else {
            Conclusion.record(builder, stopping.causes());
        }
    }

    private static void rest(DecisionBuilder builder, Pause due) {
        builder.emit(builder.paused(due.withSince(builder.at())));
        due.resumeAt().ifPresent(at -> builder.command(new RunCommand.WakeAt(at)));
    }

    /** A due retry that is held back waits for the end of a step; a timer for it would fire repeatedly. */
    private static Stream<Instant> wakes(DecisionBuilder builder) {
        boolean open = !builder.state().steps().isEmpty();
        Optional<Retry> soonest = builder.state().retries().values().stream()
                .filter(retry -> retry.waiting() && !builder.isAsked(retry.position()))
                .filter(retry -> !(open && retry.isDue(builder.at())))
                .min(Comparator.comparing(Retry::dueAt));
        soonest.filter(retry -> !open).ifPresent(retry -> await(builder, retry));
        return Stream.of(
                        soonest.map(Retry::dueAt),
                        BudgetRules.nextTimeLimit(builder.state(), builder.at()),
                        builder.state()
                                .plannedPause()
                                .map(RunState.PlannedPause::at)
                                .filter(due -> builder.mayStart()))
                .flatMap(Optional::stream);
    }

    private static void await(DecisionBuilder builder, Retry retry) {
        boolean known = builder.state().condition() instanceof Condition.Waiting waiting
                && waiting.resumeAt().equals(Optional.of(retry.dueAt()));
        if (!known && !builder.asksPermit()) {
            builder.emit(RunWaiting.forRetry(
                    retry.dueAt(), retry.waitsFor(), builder.state().active().until(builder.at())));
        }
    }
}
