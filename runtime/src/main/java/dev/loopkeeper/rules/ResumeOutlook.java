package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Describes the result of an action: it decides the action without executing it, so the description matches. */
final class ResumeOutlook {
    private static final int MOST_NAMED = 3;

    private ResumeOutlook() {}

    /**
     * One line without a full stop, e.g. {@code reruns the iteration from its first step and keeps the record of this
     * one; launches dev, iteration 3 of 20}.
     */
    static String of(RunState state, ResumeAction action) {
        if (action == ResumeAction.STOP_LOOP_NOW) {
            return intent(state, action);
        }
        Decision decision = decide(state, new RunInput.Resume(state.createdAt(), withRequirements(state, action)));
        String then = described(decision);
        if (then.isEmpty()) {
            return intent(state, action);
        }
        return action == ResumeAction.CONTINUE ? then : intent(state, action) + "; " + then;
    }

    /** The decision on a resume with what follows once git has undone the changes that it undoes first. */
    static Decision decide(RunState state, RunInput.Resume resume) {
        Decision decision = RunMachine.decide(state, resume);
        for (RunCommand command : decision.commands()) {
            if (command instanceof RunCommand.UndoWork undo) {
                GitResult undone = new GitResult.Undone(Optional.empty());
                decision = RunMachine.decide(decision.state(), new RunInput.GitDone(resume.at(), undo, undone))
                        .after(decision);
            }
        }
        return decision;
    }

    /**
     * Names what a decision launches, and the budget that is left, e.g. {@code launches dev, iteration 6 of 20; $2.74
     * left}.
     */
    static String next(Decision decision) {
        RunState after = decision.state();
        Optional<StepStarted> first = decision.events(StepStarted.class).findFirst();
        return first.map(step -> "launches " + named(after, step) + left(after)).orElseGet(() -> described(decision));
    }

    /** A step in words, e.g. {@code dev, iteration 6 of 20}, {@code audit for item f1}. */
    private static String named(RunState after, StepStarted step) {
        if (step.item().isPresent()) {
            return step.agent() + " for item " + step.item().get();
        }
        if (step.iteration().isEmpty()) {
            return step.agent() + ", phase " + step.phase();
        }
        int number = step.iteration().get();
        boolean counts =
                after.cursor().work() instanceof LoopWork loop && loop.allowance() > 0 && loop.counted() == number;
        return step.agent() + ", iteration " + number
                + (counts ? " of " + ((LoopWork) after.cursor().work()).allowance() : "");
    }

    private static String left(RunState after) {
        OptionalDouble cap = after.limits().budget().costUsd();
        if (cap.isEmpty()) {
            return "";
        }
        double used = after.spending().costUsd().doubleValue();
        return "; " + Amounts.dollars(Math.max(0, cap.getAsDouble() - used)) + " left";
    }

    private static ResumeRequest withRequirements(RunState state, ResumeAction action) {
        ResumeRequest forced = ResumeRequest.PLAIN
                .action(action)
                .with(copy -> copy.force(true)
                        .costUsd(OptionalDouble.of(Double.MAX_VALUE))
                        .tokens(OptionalLong.of(Long.MAX_VALUE))
                        .turns(OptionalLong.of(Long.MAX_VALUE))
                        .time(Optional.of(Duration.ofMillis(Long.MAX_VALUE))));
        if (state.condition() instanceof Condition.Ended) {
            forced = forced.with(copy -> copy.resetStatistics(true));
            if (state.cursor().work() instanceof LoopWork loop && loop.exhausted()) {
                Number suggested = NeededFields.maxIterations(loop).suggested().orElseThrow();
                forced = forced.maxIterations(suggested.intValue());
            }
            if (state.cursor().work() instanceof EachWork each && ResumeNeeds.isUsedUp(state)) {
                forced = forced.with(copy -> copy.maxAttempts(OptionalInt.of(each.maxAttempts() + 1)));
            }
        }
        return forced;
    }

    private static String intent(RunState state, ResumeAction action) {
        return switch (action) {
            case CONTINUE -> "continues";
            case RETRY_ITERATION -> rerun(state.cursor().work());
            case FINISH_LOOP ->
                state.phase()
                        .map(phase -> "leaves " + phase.name() + " as if it had succeeded")
                        .orElse("continues");
            case STOP_LOOP_NOW -> "stops the run; it can be resumed later";
            case REFINE_PLAN -> "runs architect, then continues";
            case CONSULT_REFLECTION -> "runs reflection, then follows its recommendation or continues";
        };
    }

    private static String rerun(Work work) {
        String part = work instanceof LoopWork
                ? "iteration from its first step"
                : work instanceof EachWork ? "attempt from its first step" : "step";
        return "reruns the " + part + " and keeps the record of this one";
    }

    private static String described(Decision decision) {
        List<String> launched = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (RunEvent event : decision.events()) {
            if (event instanceof StepStarted step) {
                launched.add(named(decision.state(), step));
            } else if (event instanceof RunPaused || (event instanceof PhaseFinished phase && !isIntended(phase))) {
                parts.add(event.text());
            } else if (event instanceof RunEnded ended) {
                parts.add("the run ends, " + ended.termination().reason());
            }
        }
        decision.commands().stream()
                .filter(RunCommand.ReadItems.class::isInstance)
                .forEach(read -> parts.add("reads " + ((RunCommand.ReadItems) read).file()));
        if (!launched.isEmpty()) {
            parts.add("launches " + named(launched));
        }
        return String.join(", ", parts);
    }

    /** Returns whether the action itself says that the phase is left. */
    private static boolean isIntended(PhaseFinished phase) {
        return phase.outcome() == PhaseOutcome.FINISHED;
    }

    private static String named(List<String> steps) {
        String first = String.join(", ", steps.subList(0, Math.min(MOST_NAMED, steps.size())));
        return steps.size() > MOST_NAMED ? first + " and " + (steps.size() - MOST_NAMED) + " more" : first;
    }
}
