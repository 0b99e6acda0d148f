package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.LoopWork;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.run.Retry;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.SlotKind;
import dev.loopkeeper.run.Work;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Carries a run as far as it goes without waiting, then says where it stands. */
final class Advance {
    private Advance() {}

    static void run(Draft draft) {
        if (mayMove(draft) && draft.mayStart() && !draft.is(Condition.Stopping.class)) {
            recover(draft);
        }
        while (mayMove(draft) && turn(draft)) {
            // Each turn notes at least one fact; the last one leaves something open, or the run at rest.
        }
        settle(draft);
    }

    /** Whether facts may be noted; whether anything may be launched is {@link Draft#mayStart}. */
    private static boolean mayMove(Draft draft) {
        RunState state = draft.state();
        if (state.condition() instanceof Condition.Stopping stopping) {
            return stopping.graceful();
        }
        boolean goes = draft.is(Condition.Running.class) || draft.is(Condition.Waiting.class);
        boolean each = state.cursor().work() instanceof EachWork;
        boolean held = state.pauses().stream().anyMatch(pause -> pause.reason() != PauseReason.OPERATOR);
        return goes && state.aside().isEmpty() && (each || !held);
    }

    /** Tries again what is due, as long as the circuit breaker lets anything be tried again. */
    private static void recover(Draft draft) {
        boolean waits = draft.state().retries().values().stream().anyMatch(Retry::waiting);
        Optional<EndCause> breaker = waits ? IterationRules.circuitBreaker(draft.state()) : Optional.empty();
        if (breaker.isPresent()) {
            draft.end(breaker.get(), StopMode.DRAIN);
        } else {
            relaunchDue(draft);
        }
    }

    private static void relaunchDue(Draft draft) {
        List<Retry> due = draft.state().retries().values().stream()
                .filter(retry -> retry.isDue(draft.at()))
                .toList();
        for (Retry retry : due) {
            boolean signals = SignalFiles.free(draft.state(), retry.agent(), retry.slot());
            if (signals && Reservations.leaveRoom(draft.state())) { // else the end of a step lets it in
                draft.launch(retry.slot(), retry.agent(), retry.attempt(), isUnit(retry.slot()));
            }
        }
    }

    /** Tasks and gates are no units of work: their launches are no attempts. */
    private static boolean isUnit(Slot slot) {
        return slot.kind() == SlotKind.LOOP || slot.kind() == SlotKind.ITEM;
    }

    private static boolean turn(Draft draft) {
        RunState state = draft.state();
        Optional<PhaseSpec> phase = state.phase();
        Work work = state.cursor().work();
        if (draft.is(Condition.Stopping.class)) {
            return work instanceof EachWork each && EachRules.next(draft, (EachPhase) phase.orElseThrow(), each);
        }
        if (phase.isEmpty()) {
            draft.complete();
            return false;
        }
        if (work instanceof LoopWork loop) {
            return LoopRules.next(draft, (LoopPhase) phase.get(), loop);
        }
        if (work instanceof EachWork each) {
            return EachRules.next(draft, (EachPhase) phase.get(), each);
        }
        if (work instanceof Work.Single single) {
            return SingleRules.next(draft, phase.get(), single);
        }
        if (!draft.mayStart()) {
            return false;
        }
        draft.emit(new PhaseStarted(
                phase.get().name(), phase.get().kind(), state.cursor().phaseIndex()));
        return true;
    }

    private static void settle(Draft draft) {
        RunState state = draft.state();
        boolean goes = draft.is(Condition.Running.class) || draft.is(Condition.Waiting.class);
        if (state.condition() instanceof Condition.Stopping stopping) {
            if (state.steps().isEmpty() && !stopping.sweeping()) {
                stopped(draft, stopping);
            }
        } else if (goes && state.steps().isEmpty() && !state.pauses().isEmpty()) {
            rest(draft, state.pauses().get(0));
        } else if (goes) {
            wakeForRetries(draft);
        }
    }

    /** The survivors that a stop waited for are gone, or will not go. */
    static void swept(Draft draft, Condition.Stopping stopping) {
        stopped(draft, stopping);
    }

    /** Ends the execution, unless processes of it are still there. */
    private static void stopped(Draft draft, Condition.Stopping stopping) {
        Optional<Pause> survivors = draft.state().pauses().stream()
                .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                .findFirst();
        Optional<EndCause> asked =
                stopping.causes().stream().filter(EndCause::isAskedFor).findFirst();
        boolean spared = !stopping.sweeping() && !draft.state().spared().isEmpty();
        if (survivors.isPresent()) {
            rest(draft, survivors.get());
        } else if (spared && asked.isPresent()) {
            draft.emit(RunStopping.sweeping(asked.get(), stopping.now()));
            draft.sweep();
        } else {
            draft.conclude(stopping.causes());
        }
    }

    private static void rest(Draft draft, Pause due) {
        draft.emit(RunPaused.of(due));
        due.resumeAt().ifPresent(at -> draft.command(new RunCommand.WakeAt(at)));
    }

    /** What is due and held back waits for the end of a step; an alarm for it would ring again and again. */
    private static void wakeForRetries(Draft draft) {
        boolean open = !draft.state().steps().isEmpty();
        Optional<Retry> soonest = draft.state().retries().values().stream()
                .filter(retry -> retry.waiting() && !(open && retry.isDue(draft.at())))
                .min(Comparator.comparing(Retry::dueAt));
        if (soonest.isEmpty()) {
            return;
        }
        Instant due = soonest.get().dueAt();
        boolean known = draft.state().condition() instanceof Condition.Waiting waiting
                && waiting.resumeAt().equals(due);
        if (draft.state().steps().isEmpty() && !known) {
            draft.emit(new RunWaiting(due, soonest.get().error().message()));
        }
        draft.command(new RunCommand.WakeAt(due));
    }
}
