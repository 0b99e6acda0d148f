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
        StepJudgement judgement = StepJudgement.of(state, step, outcome);
        return new StepChanges(compares(state, judgement), commit(state, judgement));
    }

    /**
     * An iteration is compared once, after its last step, and not at all if it succeeded. So is a check that passes
     * before the first one.
     */
    private static boolean compares(RunState state, StepJudgement judgement) {
        if (!(state.cursor().work() instanceof LoopWork work)
                || !(state.phase().orElse(null) instanceof LoopPhase loop)) {
            return false;
        }
        if (judgement.position().kind() == StepKind.CHECK
                && judgement.position().iteration().isEmpty()) {
            return judgement.note().loop().matched();
        }
        return LoopRules.noProgress(loop, work) > 0
                && iterationAfter(state, judgement)
                        .filter(iteration ->
                                isOver(state, iteration) && LoopRules.verdict(iteration) != Verdict.SUCCESS)
                        .isPresent();
    }

    private static Optional<StepCommit> commit(RunState state, StepJudgement judgement) {
        if (state.git().isEmpty()) {
            return Optional.empty();
        }
        CommitEvery every = WorktreeNames.isolation(state).commit();
        boolean due = every == CommitEvery.STEP || (every == CommitEvery.ITERATION && closes(state, judgement));
        String word = word(judgement);
        return due ? Optional.of(new StepCommit(word, judgement.step().stepId() + ": " + word)) : Optional.empty();
    }

    /**
     * Whether the iteration or attempt of this step is over with it; a task, a gate and a consultation are one step.
     */
    private static boolean closes(RunState state, StepJudgement judgement) {
        StepPosition position = judgement.position();
        if (state.cursor().work() instanceof EachWork && position.item().isPresent()) {
            EachPhase phase = (EachPhase) state.phase().orElseThrow();
            return position.index() + 1 >= phase.steps().size()
                    || judgement.note().outcome() != UnitOutcome.APPROVED;
        }
        return iterationAfter(state, judgement)
                .filter(iteration -> !isOver(state, iteration))
                .isEmpty();
    }

    /** The iteration under way with this step as done; absent where the step is of none. */
    private static Optional<Iteration> iterationAfter(RunState state, StepJudgement judgement) {
        StepPosition position = judgement.position();
        return state.cursor().work() instanceof LoopWork loop
                        && position.iteration().isPresent()
                ? loop.current().map(iteration -> iteration.after(position.index(), judgement.note()))
                : Optional.empty();
    }

    private static boolean isOver(RunState state, Iteration iteration) {
        LoopWork loop = (LoopWork) state.cursor().work();
        return LoopRules.isOver((LoopPhase) state.phase().orElseThrow(), loop.withCurrent(iteration));
    }

    private static String word(StepJudgement judgement) {
        if (judgement.cancelled()) {
            return "cancelled";
        }
        String plain = judgement.failed() ? "failed" : "completed";
        return judgement.note().rating().word().orElse(plain);
    }
}
