package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.ItemStatus;
import dev.loopkeeper.run.ItemWork;
import dev.loopkeeper.run.PhaseOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.SlotKind;
import dev.loopkeeper.run.StepNote;
import dev.loopkeeper.run.StopCause;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.termination.StandardReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What follows among the items of an {@code each} phase. */
final class EachRules {
    private EachRules() {}

    /** Takes one turn; false when there is nothing to do but wait. */
    static boolean next(Draft draft, EachPhase phase, EachWork each) {
        boolean draining = draft.is(Condition.Stopping.class);
        List<ItemWork> free = each.items().values().stream()
                .filter(item -> item.status() == ItemStatus.RUNNING && !busy(draft, item))
                .filter(item -> !held(draft, item) || (draining && isOver(phase, item)))
                .toList();
        Optional<ItemWork> over =
                free.stream().filter(item -> isOver(phase, item)).findFirst();
        if (over.isPresent()) { // before anything is launched: its end may halt the run
            endAttempt(draft, phase, over.get());
            return true;
        }
        Optional<Slot> next = free.stream()
                .map(item -> slot(phase, item))
                .filter(slot -> SignalFiles.free(draft.state(), phase.steps().get(slot.index()), slot))
                .findFirst();
        if (next.isPresent() && mayLaunch(draft)) {
            launch(draft, phase, each, next.get());
            return true;
        }
        return !draining && goOn(draft, phase, each);
    }

    private static boolean mayLaunch(Draft draft) {
        return draft.mayStart() && Reservations.leaveRoom(draft.state());
    }

    private static boolean goOn(Draft draft, EachPhase phase, EachWork each) {
        for (ItemSpec spec : phase.items()) {
            if (each.item(spec.id()).status() == ItemStatus.PENDING && begin(draft, phase, each, spec)) {
                return true;
            }
        }
        if (each.allOver()) {
            leave(draft, phase, each);
        }
        return each.allOver();
    }

    private static boolean begin(Draft draft, EachPhase phase, EachWork each, ItemSpec spec) {
        ItemWork item = each.item(spec.id());
        if (each.dependencyLost(spec)) {
            draft.emit(new ItemFinished(phase.name(), spec.id(), 0, Optional.empty(), ItemStatus.BLOCKED, true));
            return true;
        }
        boolean place = mayLaunch(draft) && each.count(ItemStatus.RUNNING) < phase.concurrency();
        if (!place || !each.dependenciesApproved(spec)) {
            return false;
        }
        draft.emit(new ItemStarted(phase.name(), spec.id(), item.attempts() + 1, false));
        return true;
    }

    private static boolean isOver(EachPhase phase, ItemWork item) {
        return item.nextStep() >= phase.steps().size()
                || item.last()
                        .filter(note -> note.outcome() != UnitOutcome.APPROVED)
                        .isPresent();
    }

    private static Slot slot(EachPhase phase, ItemWork item) {
        return new Slot(SlotKind.ITEM, phase.name(), Optional.empty(), Optional.of(item.id()), item.nextStep());
    }

    private static void launch(Draft draft, EachPhase phase, EachWork each, Slot slot) {
        ItemWork item = each.item(slot.item().orElseThrow());
        boolean opens = draft.recovers(slot) || !item.launched();
        draft.launch(slot, phase.steps().get(slot.index()), item.attempts(), opens);
    }

    private static boolean busy(Draft draft, ItemWork item) {
        Optional<String> id = Optional.of(item.id());
        RunState state = draft.state();
        boolean open = state.steps().values().stream()
                .anyMatch(step -> step.slot().item().equals(id));
        boolean waiting = state.retries().values().stream()
                .anyMatch(retry -> retry.waiting() && retry.slot().item().equals(id));
        return open || waiting;
    }

    /** Whether a pause that is due is about this item. */
    private static boolean held(Draft draft, ItemWork item) {
        Optional<String> id = Optional.of(item.id());
        return draft.state().pauses().stream()
                .anyMatch(pause -> pause.slot().flatMap(Slot::item).equals(id));
    }

    private static void endAttempt(Draft draft, EachPhase phase, ItemWork item) {
        UnitOutcome outcome = item.last().map(StepNote::outcome).orElse(UnitOutcome.APPROVED);
        int maxAttempts = ((EachWork) draft.state().cursor().work()).maxAttempts();
        boolean again = outcome != UnitOutcome.APPROVED && item.attempts() < maxAttempts;
        ItemStatus status = again ? ItemStatus.PENDING : statusOf(outcome);
        draft.emit(new ItemFinished(phase.name(), item.id(), item.attempts(), Optional.of(outcome), status, !again));
        List<EndCause> holding = IterationRules.stopConditions(draft.state()); // 9
        if (!holding.isEmpty() && !draft.is(Condition.Stopping.class)) {
            draft.end(EndCause.first(holding), StopMode.DRAIN);
        }
    }

    private static ItemStatus statusOf(UnitOutcome outcome) {
        return switch (outcome) {
            case APPROVED -> ItemStatus.APPROVED;
            case REJECTED -> ItemStatus.REJECTED;
            case FAILED -> ItemStatus.FAILED;
        };
    }

    private static void leave(Draft draft, EachPhase phase, EachWork each) {
        List<EndCause> ends = ends(each);
        if (ends.isEmpty()) {
            draft.finishPhase(PhaseOutcome.PASSED, "all items are approved");
        } else if (phase.critical()) {
            draft.end(EndCause.first(ends), StopMode.DRAIN);
        } else {
            draft.finishPhase(PhaseOutcome.FAILED, ends.get(0).summary());
        }
    }

    private static List<EndCause> ends(EachWork each) {
        List<String> blocked = each.ids(item -> item.status() == ItemStatus.BLOCKED);
        List<String> lost =
                each.ids(item -> item.status() == ItemStatus.REJECTED || item.status() == ItemStatus.FAILED);
        List<EndCause> ends = new ArrayList<>();
        if (!blocked.isEmpty()) {
            ends.add(EndCause.of(
                            StandardReason.DEPENDENCY_BLOCKED,
                            String.join(", ", blocked) + " blocked by " + String.join(", ", lost))
                    .about(unit(blocked.get(0))));
        }
        if (!lost.isEmpty()) {
            String summary = "attempts used up: " + String.join(", ", lost);
            ends.add(EndCause.of(StandardReason.MAX_RETRIES, summary)
                    .askedBy(StopCause.LIMIT)
                    .about(unit(lost.get(0))));
        }
        return ends;
    }

    private static EndCause.WorkRef unit(String item) {
        return new EndCause.WorkRef(Optional.of(item), Optional.empty(), Optional.empty());
    }
}
