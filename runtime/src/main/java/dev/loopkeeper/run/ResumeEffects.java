package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The changes of a resume. They are computed once and recorded, so that a later version replays them identically.
 *
 * @param limits after the resume
 * @param statistics after the resume
 * @param warned messages that stay recorded once, see {@link Ledger}
 * @param feedback replaces earlier feedback; absent: that stays
 * @param answers what the feedback is for, see {@link Ledger#plusFeedback}
 * @param work progress of the current phase after the resume; only changed items
 * @param retries remaining recovery attempts, by position key
 * @param automaticResumes automatic resumes since the last success, by position key
 * @param survivor a pause over processes that a person leaves running
 */
record ResumeEffects(
        Limits limits,
        RunStatistics statistics,
        Set<String> warned,
        Optional<String> feedback,
        Work work,
        Map<String, Retry> retries,
        Map<String, Integer> automaticResumes,
        Optional<Pause> survivor,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> answers) {
    /** The changes of this resume in this state. */
    static ResumeEffects of(RunState state, RunResumed resumed) {
        Rules rules = new Rules(resumed.request().on(state), resumed);
        String phase = state.phase().map(spec -> spec.name()).orElse("");
        Work work = rules.work();
        RunStatistics statistics = rules.statistics(work);
        return new ResumeEffects(
                rules.limits(phase, statistics),
                statistics,
                rules.stillWarned(state.limits().budget()),
                resumed.request().feedback(),
                changesOnly(state.cursor().work(), work),
                rules.retries(),
                rules.automaticResumes(),
                state.condition().held().filter(pause -> pause.reason() == PauseReason.SURVIVORS),
                rules.answers(work));
    }

    private static Work changesOnly(Work before, Work after) {
        if (!(before instanceof EachWork earlier) || !(after instanceof EachWork each)) {
            return after;
        }
        Map<String, ItemWork> changed = new LinkedHashMap<>();
        each.items().forEach((id, item) -> {
            if (!item.equals(earlier.item(id))) {
                changed.put(id, item);
            }
        });
        return new EachWork(changed, each.maxAttempts());
    }

    /** Applies the changes to the state. */
    RunState on(RunState state) {
        Ledger ledger = state.ledger().withStatistics(statistics).withWarned(warned);
        List<Pause> tolerated = state.toleratedSurvivors();
        return state.withLimits(limits)
                .withLedger(
                        feedback.map(text -> ledger.plusFeedback(answers, text)).orElse(ledger))
                .withWork(workOn(state.cursor().work()))
                .withRetries(retries)
                .withAutomaticResumes(automaticResumes)
                .withToleratedSurvivors(
                        survivor.map(pause -> Copies.plus(tolerated, pause)).orElse(tolerated));
    }

    private Work workOn(Work before) {
        if (!(before instanceof EachWork earlier) || !(work instanceof EachWork changed)) {
            return work;
        }
        Map<String, ItemWork> items = new LinkedHashMap<>(earlier.items());
        items.putAll(changed.items());
        return new EachWork(items, changed.maxAttempts());
    }

    /** Computes the changes. */
    private record Rules(RunState state, RunResumed resumed) {
        /** An execution forced over the circuit breaker may launch the steps of all parallel units. */
        Limits limits(String phase, RunStatistics counts) {
            Limits asked = state.limits().changed(resumed.request(), phase);
            boolean forced = resumed.newExecution() && resumed.overridden().isPresent();
            int breaker = asked.stopConditions().circuitBreaker();
            return forced && breaker > 0 && counts.totalAttempts() >= breaker
                    ? asked.breakingAt(counts.totalAttempts() + stepsAtOnce())
                    : asked;
        }

        private int stepsAtOnce() {
            return state.phase()
                    .map(phase -> phase.agents().size() * (phase instanceof EachPhase each ? each.concurrency() : 1))
                    .orElse(1);
        }

        RunStatistics statistics(Work after) {
            RunStatistics counts = state.ledger().statistics();
            if (state.cursor().work() instanceof EachWork each) {
                counts = each.takenBack(
                        counts, item -> !((EachWork) after).item(item.id()).counted());
            }
            counts = resumed.newExecution() ? counts.withConsecutiveFails(0) : counts;
            return resumed.request().resetStatistics() ? counts.reset() : counts;
        }

        /**
         * A person's resume restarts the recovery; an automatic resume continues it. A pending retry for a missing
         * signal stays due, since the step's work is done.
         */
        Map<String, Retry> retries() {
            return state.retries().entrySet().stream()
                    .filter(entry -> isAutomatic()
                            || (resumed.action() == ResumeAction.CONTINUE
                                    && entry.getValue().isNudge()))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> left(entry.getValue())));
        }

        private Retry left(Retry retry) {
            return isAutomatic() ? retry.returned() : retry.firstNudge();
        }

        Map<String, Integer> automaticResumes() {
            if (!isAutomatic()) {
                return Map.of();
            }
            Optional<String> key =
                    state.condition().held().flatMap(Pause::position).map(StepPosition::key);
            Map<String, Integer> counted = Copies.counted(state.automaticResumes(), RunState.WHOLE_RUN);
            return key.map(position -> Copies.counted(counted, position)).orElse(counted);
        }

        private boolean isAutomatic() {
            return resumed.by().equals(RunResumed.TIMER);
        }

        /** A new limit permits a new warning. */
        Set<String> stillWarned(Budget before) {
            ResumeRequest asked = resumed.request();
            Budget now = state.limits().budget();
            Map<String, Boolean> renewed = Map.of(
                    "costUsd", asked.costUsd().isPresent() || !now.costUsd().equals(before.costUsd()),
                    "tokens", asked.tokens().isPresent() || !now.tokens().equals(before.tokens()),
                    "turns", asked.turns().isPresent() || !now.turns().equals(before.turns()),
                    "time", asked.time().isPresent() || !now.time().equals(before.time()));
            return state.ledger().warned().stream()
                    .filter(message -> !renewed.getOrDefault(message, false))
                    .collect(Collectors.toUnmodifiableSet());
        }

        /**
         * The item of the pause if the resume continues it, otherwise the run: feedback to an item without a further step
         * would reach none. Empty for a pause of no item.
         */
        Optional<String> answers(Work after) {
            Optional<StepPosition> paused = state.condition().held().flatMap(Pause::position);
            boolean continues = after instanceof EachWork each
                    && state.phase().orElseThrow() instanceof EachPhase phase
                    && resumed.action() != ResumeAction.FINISH_LOOP
                    && paused.flatMap(StepPosition::item)
                            .map(each::item)
                            .filter(item -> continues(item, phase.steps().size(), each.maxAttempts()))
                            .isPresent();
            return paused.flatMap(Ledger::item).map(item -> continues ? item : Ledger.RUN);
        }

        private boolean continues(ItemWork item, int steps, int maxAttempts) {
            boolean begins = resumed.action() == ResumeAction.RETRY_ITERATION || item.status() == ItemStatus.PENDING;
            boolean another = item.attemptLost() && item.attempts() < maxAttempts;
            return begins || !item.attemptOver(steps) || another;
        }

        Work work() {
            Work work = state.cursor().work();
            ResumeRequest request = resumed.request();
            if (work instanceof EachWork each) {
                int attempts = Math.max(request.maxAttempts().orElse(each.maxAttempts()), each.leastAttempts());
                EachWork reopened = accepting(each).reopened(request.resetItems(), attempts);
                return request.resetStatistics() ? reopened.uncounted() : reopened;
            }
            if (work instanceof Work.Single single) {
                boolean task = state.phase().filter(TaskPhase.class::isInstance).isPresent();
                return new Work.Single(
                        single.passed() || (task && resumed.accepted().isPresent()));
            }
            return work instanceof LoopWork loop ? loopAfter(loop) : work;
        }

        private LoopWork loopAfter(LoopWork loop) {
            Optional<RunResumed.Accepted> accepted = resumed.accepted();
            LoopWork going = loop.current().isPresent() && accepted.isPresent()
                    ? loop.withCurrent(loop.current()
                            .get()
                            .after(
                                    accepted.get().position().index(),
                                    accepted.get().note()))
                    : loop;
            LoopWork allowed = resumed.allowance().isPresent()
                    ? going.withAllowance(resumed.allowance().getAsInt())
                    : going;
            boolean newCause =
                    resumed.newExecution() || resumed.request().feedback().isPresent();
            return newCause ? allowed.withRecent(List.of()) : allowed;
        }

        private EachWork accepting(EachWork each) {
            Optional<RunResumed.Accepted> accepted = resumed.accepted();
            Optional<ItemWork> item =
                    accepted.flatMap(step -> step.position().item()).map(each::item);
            return item.isEmpty()
                    ? each
                    : each.with(item.get()
                            .after(
                                    accepted.get().position().index(),
                                    accepted.get().note()));
        }
    }
}
