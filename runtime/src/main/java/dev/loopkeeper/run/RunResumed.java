package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code run.resumed}: a paused or ended run goes on.
 *
 * @param action what was chosen
 * @param by {@code operator}, or {@code timer} at a provider's reset time
 * @param newExecution whether the one before had ended
 * @param request what was asked for, limits included
 * @param allowance iterations that the present loop may now do; absent: as before
 * @param overridden what a forced resume lacked
 * @param consults the agent to run before going on
 * @param accepted the step whose missing signal a person accepts
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RunResumed(
        ResumeAction action,
        String by,
        boolean newExecution,
        ResumeRequest request,
        OptionalInt allowance,
        Optional<String> overridden,
        Optional<RunState.Aside> consults,
        Optional<Accepted> accepted)
        implements RunEvent {

    /** A place in the work, and what it comes to without its signal. */
    public record Accepted(Slot slot, StepNote note) {}

    /** A new execution that is only to end, since the one before has its ending already. */
    static RunResumed toEnd(String by) {
        return new RunResumed(
                ResumeAction.CONTINUE,
                by,
                true,
                ResumeRequest.PLAIN,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        String phase = state.phase().map(spec -> spec.name()).orElse("");
        RunState resumed = state.with(new Condition.Running())
                .with(state.limits().changed(request, phase))
                .with(ledgerAfter(state))
                .with(workAfter(state))
                .withSpared(sparedAfter(state))
                .withRetries(retriesAfter(state))
                .withReturns(returnsAfter(state))
                .withAside(consults);
        if (!newExecution) {
            return resumed;
        }
        Execution next = new Execution(state.executions().size() + 1, at, Optional.empty(), Optional.empty());
        return resumed.withExecutions(Copies.plus(state.executions(), next))
                .with(resumed.cursor().withGateRetries(Map.of()));
    }

    /** A person's word begins the ladder of recovery anew; a pause that ends by itself does not. */
    private Map<String, Retry> retriesAfter(RunState state) {
        return isByItself()
                ? state.retries().entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, entry -> entry.getValue().returned()))
                : Map.of();
    }

    private Map<String, Integer> returnsAfter(RunState state) {
        Optional<String> key = state.condition().held().flatMap(Pause::slot).map(Slot::key);
        if (!isByItself()) {
            return Map.of();
        }
        return key.map(slot ->
                        Copies.plus(state.returns(), slot, state.returns().getOrDefault(slot, 0) + 1))
                .orElse(state.returns());
    }

    private boolean isByItself() {
        return by.equals(RunMachine.TIMER);
    }

    private static List<Pause> sparedAfter(RunState state) {
        return state.condition()
                .held()
                .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                .map(pause -> Copies.plus(state.spared(), pause))
                .orElse(state.spared());
    }

    private Ledger ledgerAfter(RunState state) {
        RunStatistics counts = state.ledger().statistics();
        if (state.cursor().work() instanceof EachWork each) {
            counts = takenBack(counts, each, (EachWork) workAfter(state));
        }
        counts = newExecution ? counts.withStreak(0) : counts;
        counts = request.resetStatistics() ? counts.reset() : counts;
        Ledger ledger = state.ledger()
                .withStatistics(counts)
                .withWarned(stillWarned(state.ledger().warned()));
        return request.feedback().map(ledger::withFeedback).orElse(ledger);
    }

    /** A new cap deserves a warning of its own. */
    private Set<String> stillWarned(Set<String> warned) {
        Set<String> left = new HashSet<>(warned);
        request.costUsd().ifPresent(cap -> left.remove("costUsd"));
        request.tokens().ifPresent(cap -> left.remove("tokens"));
        request.turns().ifPresent(cap -> left.remove("turns"));
        return Set.copyOf(left);
    }

    private static RunStatistics takenBack(RunStatistics counts, EachWork before, EachWork after) {
        RunStatistics left = counts;
        for (ItemWork item : before.items().values()) {
            boolean afresh = !after.item(item.id()).counted();
            if (afresh && item.counted()) {
                left = left.minusEnded(outcomeOf(item.status()), item.attempts());
            }
        }
        return left;
    }

    private static UnitOutcome outcomeOf(ItemStatus status) {
        return switch (status) {
            case REJECTED -> UnitOutcome.REJECTED;
            case FAILED -> UnitOutcome.FAILED;
            default -> UnitOutcome.APPROVED;
        };
    }

    private Work workAfter(RunState state) {
        Work work = state.cursor().work();
        if (work instanceof EachWork each) {
            int attempts = Math.max(request.maxAttempts().orElse(each.maxAttempts()), each.leastAttempts());
            EachWork reopened = accepting(each).reopened(request.resetItems(), attempts);
            return request.resetStatistics() ? reopened.uncounted() : reopened;
        }
        if (work instanceof Work.Single single) {
            boolean task = state.phase().filter(TaskPhase.class::isInstance).isPresent();
            return new Work.Single(single.passed() || (task && accepted.isPresent()));
        }
        if (work instanceof LoopWork loop) {
            LoopWork going = loop.current().isPresent() && accepted.isPresent()
                    ? loop.withCurrent(loop.current()
                            .get()
                            .after(accepted.get().slot().index(), accepted.get().note()))
                    : loop;
            LoopWork allowed = allowance.isPresent() ? going.withAllowance(allowance.getAsInt()) : going;
            return newExecution || request.feedback().isPresent() ? allowed.forgetting() : allowed;
        }
        return work;
    }

    private EachWork accepting(EachWork each) {
        Optional<ItemWork> item = accepted.flatMap(known -> known.slot().item()).map(each::item);
        return item.isEmpty()
                ? each
                : each.with(item.get()
                        .after(accepted.get().slot().index(), accepted.get().note()));
    }
}
