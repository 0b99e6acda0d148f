package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.StepIds;
import dev.loopkeeper.termination.ResumeAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes what a resume keeps and redoes: it decides the resume without executing it, so the description matches. */
final class ResumePreviews {
    private ResumePreviews() {}

    static ResumePreview of(
            DecisionBuilder builder, ResumeRequest request, ResumeAction action, List<String> missing, String why) {
        RunState state = builder.state();
        ResumeRequest executed = request.with(copy -> copy.force(true).dryRun(false));
        Decision decision = ResumeOutlook.decide(state, new RunInput.Resume(builder.at(), executed));
        Work after = decision.state().cursor().work();
        boolean behind = decision.state().cursor().phaseIndex() > state.cursor().phaseIndex();
        List<String> kept = new ArrayList<>();
        state.manifest().phases().stream()
                .limit(state.cursor().phaseIndex())
                .map(PhaseSpec::name)
                .forEach(name -> kept.add("phase " + name));
        List<String> redone = new ArrayList<>();
        boolean leaves = action == ResumeAction.FINISH_LOOP || action == ResumeAction.STOP_LOOP_NOW;
        Work work = state.cursor().work();
        if (work instanceof LoopWork loop) {
            Optional<Iteration> again = current(after).filter(iteration -> isOf(loop, iteration.number()));
            ended(state, loop, leaves ? loop.current() : again).ifPresent(kept::add);
            again.flatMap(iteration -> redone(state, loop, iteration, decision)).ifPresent(redone::add);
        } else if (work instanceof EachWork each) {
            EachWork then = !behind && after instanceof EachWork items ? items : each;
            Set<String> accepted = behind ? accepted(decision) : Set.of();
            Predicate<ItemWork> done = item -> item.status() == ItemStatus.APPROVED || accepted.contains(item.id());
            then.ids(done).forEach(id -> kept.add("item " + id));
            then.ids(item -> !item.status().isOver()).forEach(id -> redone.add("item " + id));
        } else if (behind) {
            state.phase().ifPresent(phase -> kept.add("phase " + phase.name()));
        } else {
            state.phase()
                    .filter(phase -> isBegun(state, phase) || repeats(state, decision))
                    .ifPresent(phase -> redone.add("phase " + phase.name()));
        }
        List<String> again = leaves || behind ? List.of() : List.copyOf(redone);
        Optional<String> inUse = inUse(builder, action);
        boolean allowed = inUse.isEmpty() && (missing.isEmpty() || request.force());
        List<String> lacks = Stream.concat(missing.stream(), inUse.stream()).toList();
        return new ResumePreview(
                allowed, lacks, List.copyOf(kept), again, request.changes(), why, ResumeOutlook.next(decision));
    }

    /** The items that the resume approves by accepting a step's result. */
    private static Set<String> accepted(Decision decision) {
        return decision.events(ItemFinished.class)
                .filter(item -> item.status() == ItemStatus.APPROVED)
                .map(ItemFinished::item)
                .collect(Collectors.toSet());
    }

    /**
     * The conflict over a signal file that another run uses, even with {@code force}. A queued run waits for the file.
     */
    private static Optional<String> inUse(DecisionBuilder builder, ResumeAction action) {
        Condition condition = builder.state().condition();
        boolean waits = condition instanceof Condition.Queued && !condition.atRest();
        return waits || action == ResumeAction.STOP_LOOP_NOW
                ? Optional.empty()
                : builder.conflict().map(SignalInUse::message);
    }

    private static Optional<Iteration> current(Work work) {
        return work instanceof LoopWork loop ? loop.current() : Optional.empty();
    }

    private static boolean isOf(LoopWork loop, int number) {
        return loop.current().filter(current -> current.number() == number).isPresent();
    }

    /** Iterations that count against the limit, and those that do not, such as one that ended with a question. */
    private static Optional<String> ended(RunState state, LoopWork loop, Optional<Iteration> open) {
        int first = loop.base() + 1;
        int last = open.map(iteration -> iteration.number() - 1)
                .orElse(state.cursor().lastIteration());
        if (last < first) {
            return Optional.empty();
        }
        return Optional.of(last == first ? "iteration " + first : "iterations " + first + " to " + last);
    }

    private static Optional<String> redone(RunState state, LoopWork before, Iteration next, Decision decision) {
        String iteration = "iteration " + next.number();
        if (before.current().filter(open -> open.attempt() < next.attempt()).isPresent()) {
            return Optional.of(iteration);
        }
        return repeats(state, decision) ? Optional.of("the open step of " + iteration) : Optional.empty();
    }

    /** Whether the decision launches a step again. */
    private static boolean repeats(RunState state, Decision decision) {
        Map<String, Integer> launches = state.cursor().launches();
        return decision.events(StepStarted.class)
                .anyMatch(step -> step.attempt() > 1
                        || launches.containsKey(StepIds.stem(step.position(), step.agent(), step.attempt())));
    }

    private static boolean isBegun(RunState state, PhaseSpec phase) {
        return state.cursor()
                .last()
                .filter(step -> step.position().phase().equals(phase.name()))
                .isPresent();
    }
}
