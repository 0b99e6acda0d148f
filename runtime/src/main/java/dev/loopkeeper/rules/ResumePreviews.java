package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.ItemStatus;
import dev.loopkeeper.run.Iteration;
import dev.loopkeeper.run.LoopWork;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepIds;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.Work;
import dev.loopkeeper.termination.ResumeAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says in words what a resume would keep and what it would do again: found by deciding it and carrying nothing out, so
 * that what is told is what would happen.
 */
final class ResumePreviews {
    private ResumePreviews() {}

    static ResumePreview of(
            DecisionBuilder builder, ResumeRequest request, ResumeAction action, List<String> missing, String why) {
        RunState state = builder.state();
        Decision decision = RunMachine.decide(state, new RunInput.Resume(builder.at(), request.carriedOut()));
        Work after = decision.state().cursor().work();
        List<String> kept = new ArrayList<>();
        state.plan().manifest().phases().stream()
                .limit(state.cursor().phaseIndex())
                .map(PhaseSpec::name)
                .forEach(name -> kept.add("phase " + name));
        List<String> redone = new ArrayList<>();
        boolean leaves = action == ResumeAction.FINISH_LOOP || action == ResumeAction.STOP_LOOP_NOW;
        Work work = state.cursor().work();
        if (work instanceof LoopWork loop) {
            Optional<Iteration> again = current(after).filter(next -> isOf(loop, next.number()));
            ended(state, loop, leaves ? loop.current() : again).ifPresent(kept::add);
            again.flatMap(next -> redone(state, loop, next, decision)).ifPresent(redone::add);
        } else if (work instanceof EachWork each) {
            EachWork then = after instanceof EachWork items ? items : each;
            then.ids(item -> item.status() == ItemStatus.APPROVED).forEach(id -> kept.add("item " + id));
            then.ids(item -> item.status() != ItemStatus.APPROVED).forEach(id -> redone.add("item " + id));
        } else {
            state.phase().ifPresent(phase -> redone.add("phase " + phase.name()));
        }
        List<String> again = leaves ? List.of() : List.copyOf(redone);
        return new ResumePreview(missing.isEmpty(), missing, List.copyOf(kept), again, why);
    }

    private static Optional<Iteration> current(Work work) {
        return work instanceof LoopWork loop ? loop.current() : Optional.empty();
    }

    private static boolean isOf(LoopWork loop, int number) {
        return loop.current().filter(current -> current.number() == number).isPresent();
    }

    /** Those that count against the limit and those that do not, such as one that ended with a question. */
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
        Map<String, Integer> launches = state.cursor().launches();
        boolean repeats = decision.events().stream()
                .filter(StepStarted.class::isInstance)
                .map(StepStarted.class::cast)
                .anyMatch(step -> step.attempt() > 1
                        || launches.containsKey(StepIds.stem(step.slot(), step.agent(), step.attempt())));
        return repeats ? Optional.of("the open step of " + iteration) : Optional.empty();
    }
}
