package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.StopCause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Decides the next action on the items of an {@code each} phase. */
final class EachRules {
    private EachRules() {}

    /** Decides one action; false when the phase must wait. */
    static boolean next(DecisionBuilder builder, EachPhase phase, EachWork each) {
        boolean draining = builder.is(Condition.Stopping.class);
        Set<String> busy = busy(builder.state());
        List<ItemWork> free = each.running()
                .filter(item -> !busy.contains(item.id()))
                .filter(item -> !isHeld(builder.state(), item) || (draining && isOver(phase, item)))
                .filter(item -> !GitRules.mergeIsDue(builder.state(), phase, item))
                .filter(item -> !GitRules.undoIsDue(builder.state(), item))
                .toList();
        Optional<ItemWork> over =
                free.stream().filter(item -> isOver(phase, item)).findFirst();
        if (over.isPresent()) { // before launches, since its end may halt the run
            endAttempt(builder, phase, over.get());
            return true;
        }
        Optional<StepPosition> next = free.stream()
                .filter(item -> !draining || !opens(builder, phase, item)) // open attempts complete, no new one begins
                .map(item -> position(phase, item))
                .filter(position -> !builder.isAsked(position))
                .filter(position -> SignalFiles.free(builder.state(), agent(builder.state(), position), position))
                .findFirst();
        if (next.isPresent() && mayLaunch(builder)) {
            if (draining && builder.isHalted()) {
                return false;
            }
            ItemWork item = each.item(next.get().item().orElseThrow());
            builder.launch(next.get(), agent(builder.state(), next.get()), item.attempts());
            return true;
        }
        return !draining && proceed(builder, phase, each);
    }

    private static boolean mayLaunch(DecisionBuilder builder) {
        return builder.mayStart() && BudgetRules.permitsLaunch(builder.state());
    }

    private static boolean proceed(DecisionBuilder builder, EachPhase phase, EachWork each) {
        boolean mayBegin = mayLaunch(builder) && each.count(ItemStatus.RUNNING) < phase.concurrency();
        Optional<ItemSpec> next = each.nextPending(phase, mayBegin);
        if (next.isPresent()) {
            if (each.dependencyLost(next.get()) || !builder.isHalted()) {
                begin(builder, phase, each, next.get());
            }
            return true;
        }
        if (each.allOver()) {
            leave(builder, phase, each);
        }
        return each.allOver();
    }

    private static void begin(DecisionBuilder builder, EachPhase phase, EachWork each, ItemSpec spec) {
        int attempt = each.item(spec.id()).attempts() + 1;
        // The worktree of an item that was reset while in progress.
        Optional<String> leaves = WorktreeNames.nameOf(builder.state(), spec.id());
        builder.emit(
                each.dependencyLost(spec)
                        ? new ItemFinished(
                                phase.name(), spec.id(), 0, ItemStatus.BLOCKED, ItemStatus.BLOCKED, true, leaves)
                        : new ItemStarted(phase.name(), spec.id(), attempt, false, false, leaves));
    }

    static boolean isOver(EachPhase phase, ItemWork item) {
        return item.attemptOver(phase.steps().size());
    }

    private static StepPosition position(EachPhase phase, ItemWork item) {
        int index = item.nextStep();
        return new StepPosition(StepKind.ITEM, phase.name(), Optional.empty(), Optional.of(item.id()), index);
    }

    /** Whether the item's next step is the first of its attempt, or a retry of a lost one. */
    private static boolean opens(DecisionBuilder builder, EachPhase phase, ItemWork item) {
        return !item.launched() || builder.recovers(position(phase, item));
    }

    private static String agent(RunState state, StepPosition position) {
        return StepAgents.agentOf(state, position).orElseThrow();
    }

    /** Whether a step of this item runs or waits for a retry. */
    static boolean isBusy(RunState state, ItemWork item) {
        return busy(state).contains(item.id());
    }

    /** The busy items, computed once per action, as hundreds may be in progress. */
    private static Set<String> busy(RunState state) {
        Set<String> busy = new HashSet<>();
        state.steps().values().forEach(step -> step.position().item().ifPresent(busy::add));
        state.retries().values().stream()
                .filter(Retry::waiting)
                .forEach(retry -> retry.position().item().ifPresent(busy::add));
        return busy;
    }

    /** Whether a pending pause concerns this item. */
    static boolean isHeld(RunState state, ItemWork item) {
        Optional<String> id = Optional.of(item.id());
        return state.pauses().stream()
                .anyMatch(pause -> pause.position().flatMap(StepPosition::item).equals(id));
    }

    /** The outcome of the current attempt according to its steps. */
    static UnitOutcome outcome(ItemWork item) {
        return item.last().map(StepSummary::outcome).orElse(UnitOutcome.APPROVED);
    }

    private static void endAttempt(DecisionBuilder builder, EachPhase phase, ItemWork item) {
        endAttempt(builder, phase, item, outcome(item), WorktreeNames.nameOf(builder.state(), item.id()));
    }

    static void endAttempt(
            DecisionBuilder builder, EachPhase phase, ItemWork item, UnitOutcome outcome, Optional<String> leaves) {
        int maxAttempts = ((EachWork) builder.state().cursor().work()).maxAttempts();
        boolean again = outcome != UnitOutcome.APPROVED && item.attempts() < maxAttempts;
        ItemStatus status = again ? ItemStatus.PENDING : ItemStatus.of(outcome);
        builder.emit(new ItemFinished(
                phase.name(), item.id(), item.attempts(), ItemStatus.of(outcome), status, !again, leaves));
        EachWork each = (EachWork) builder.state().cursor().work();
        List<EndReason> holding =
                completes(each) ? List.of() : IterationRules.stopConditions(builder.state()); // 7 before 9
        if (!holding.isEmpty() && !builder.is(Condition.Stopping.class)) {
            List<EndReason> beside = phase.critical() && each.allOver() ? ends(each) : List.of();
            builder.end(
                    EndReason.first(
                            Stream.concat(holding.stream(), beside.stream()).toList()),
                    StopMode.DRAIN);
        }
    }

    /** Whether all items are approved once the current attempts are: none is left to launch. */
    private static boolean completes(EachWork each) {
        return each.items().values().stream()
                .allMatch(item -> item.status() == ItemStatus.APPROVED
                        || (item.status() == ItemStatus.RUNNING && item.launched()));
    }

    private static void leave(DecisionBuilder builder, EachPhase phase, EachWork each) {
        List<EndReason> ends = ends(each);
        if (ends.isEmpty()) {
            builder.finishPhase(PhaseOutcome.PASSED, "all items are approved");
        } else if (phase.critical()) {
            builder.end(EndReason.first(ends), StopMode.DRAIN);
        } else {
            builder.finishPhase(PhaseOutcome.FAILED, ends.get(0).summary());
        }
    }

    private static List<EndReason> ends(EachWork each) {
        List<String> blocked = each.ids(item -> item.status() == ItemStatus.BLOCKED);
        List<String> lost =
                each.ids(item -> item.status() == ItemStatus.REJECTED || item.status() == ItemStatus.FAILED);
        List<EndReason> ends = new ArrayList<>();
        if (!blocked.isEmpty()) {
            ends.add(EndReason.of(StandardReason.DEPENDENCY_BLOCKED, LostItems.summary(each, lost, blocked))
                    .about(Optional.of(blocked.get(0))));
        }
        if (!lost.isEmpty()) {
            ends.add(EndReason.of(StandardReason.MAX_RETRIES, LostItems.summary(each, lost, List.of()))
                    .askedBy(StopCause.LIMIT)
                    .about(Optional.of(lost.get(0))));
        }
        return ends;
    }
}
