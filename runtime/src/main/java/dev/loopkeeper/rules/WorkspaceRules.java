package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.CommitEvery;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.UnitOutcome;
import java.util.Optional;

/** Decides whether the workspace is compared and committed when a step ends, before the end is recorded. */
public final class WorkspaceRules {
    private WorkspaceRules() {}

    /**
     * Describes what happens to a step's changes.
     *
     * @param compared whether the no-progress rule needs the current content of the workspace
     * @param commit how the changes are committed; absent without a commit
     */
    public record StepChanges(boolean compared, Optional<StepCommit> commit) {
        public static final StepChanges UNUSED = new StepChanges(false, Optional.empty());
    }

    /**
     * Describes the commit of a step's changes.
     *
     * @param verdict a word for people
     * @param subject first line of the message
     */
    public record StepCommit(String verdict, String subject) {}

    /** Decides what happens to the changes of an open step after this outcome. */
    public static StepChanges after(RunState state, String stepId, StepOutcome outcome) {
        OpenStep step = state.steps().get(stepId);
        if (step == null) {
            return StepChanges.UNUSED;
        }
        StepJudgement judged = StepJudgement.of(state, step, outcome);
        return new StepChanges(compares(state, judged), commit(state, judged));
    }

    /**
     * An iteration is compared once, after its last step, and not at all if it succeeded. So is a check that passes
     * before the first one.
     */
    private static boolean compares(RunState state, StepJudgement judged) {
        if (!(state.cursor().work() instanceof LoopWork work)
                || !(state.phase().orElse(null) instanceof LoopPhase loop)) {
            return false;
        }
        if (judged.slot().kind() == StepKind.CHECK && judged.slot().iteration().isEmpty()) {
            return judged.note().loop().matched();
        }
        return LoopRules.noProgress(loop, work) > 0
                && iterationAfter(state, judged)
                        .filter(iteration ->
                                isOver(state, iteration) && LoopRules.verdict(iteration) != Verdict.SUCCESS)
                        .isPresent();
    }

    private static Optional<StepCommit> commit(RunState state, StepJudgement judged) {
        if (state.git().isEmpty()) {
            return Optional.empty();
        }
        CommitEvery every = WorktreeNames.isolation(state).commit();
        boolean due = every == CommitEvery.STEP || (every == CommitEvery.ITERATION && closes(state, judged));
        String word = word(judged);
        return due ? Optional.of(new StepCommit(word, judged.step().stepId() + ": " + word)) : Optional.empty();
    }

    /**
     * Whether the iteration or attempt of this step is over with it; a task, a gate and a consultation are one step.
     */
    private static boolean closes(RunState state, StepJudgement judged) {
        StepPosition slot = judged.slot();
        if (state.cursor().work() instanceof EachWork && slot.item().isPresent()) {
            EachPhase phase = (EachPhase) state.phase().orElseThrow();
            return slot.index() + 1 >= phase.steps().size() || judged.note().outcome() != UnitOutcome.APPROVED;
        }
        return iterationAfter(state, judged)
                .filter(iteration -> !isOver(state, iteration))
                .isEmpty();
    }

    /** The iteration under way with this step as done; absent where the step is of none. */
    private static Optional<Iteration> iterationAfter(RunState state, StepJudgement judged) {
        StepPosition slot = judged.slot();
        return state.cursor().work() instanceof LoopWork loop
                        && slot.iteration().isPresent()
                ? loop.current().map(iteration -> iteration.after(slot.index(), judged.note()))
                : Optional.empty();
    }

    private static boolean isOver(RunState state, Iteration iteration) {
        LoopWork loop = (LoopWork) state.cursor().work();
        return LoopRules.isOver((LoopPhase) state.phase().orElseThrow(), loop.withCurrent(iteration));
    }

    private static String word(StepJudgement judged) {
        if (judged.cancelled()) {
            return "cancelled";
        }
        String plain = judged.failed() ? "failed" : "completed";
        return judged.note().rating().word().orElse(plain);
    }
}
