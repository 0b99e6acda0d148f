package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.CommitEvery;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.GitState;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.WorkspaceMerged;
import dev.loopkeeper.run.git.ItemBranch;
import dev.loopkeeper.run.git.KeptWorktree;
import dev.loopkeeper.run.git.Merge;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.StandardReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which git commands a run needs, and when. The state alone determines a pending command, so the command is
 * durable before it is issued and is issued again after a restart.
 */
public final class GitRules {
    private GitRules() {}

    /**
     * The git commands that the run waits for; the affected work launches nothing before they end. Merges run one at a
     * time: only the first pending merge is issued, after any merge in progress.
     */
    public static List<RunCommand.Git> awaited(RunState state) {
        if (state.git().isEmpty()) {
            return List.of();
        }
        boolean drains = state.condition() instanceof Condition.Stopping stopping && stopping.graceful();
        List<RunCommand.Git> awaited = new ArrayList<>(clearing(state));
        if (state.cursor().work() instanceof EachWork each && (state.condition().proceeds() || drains)) {
            EachPhase phase = (EachPhase) state.phase().orElseThrow();
            each.running()
                    .filter(item -> mergeIsDue(state, phase, item))
                    .forEach(item -> awaited.add(merge(state, phase, item)));
        }
        if (state.condition().proceeds() && state.pauses().isEmpty()) {
            undo(state).forEach(awaited::add);
        }
        if (state.condition().proceeds() && isComplete(state)) { // a pause has no effect any more
            awaited.add(new RunCommand.FinishWorktree(
                    WorktreeNames.of(state, Optional.empty()).orElseThrow(),
                    WorktreeNames.isolation(state).keep()));
        }
        return awaited;
    }

    /**
     * Commands to remove the worktrees of ended attempts, in parallel with other work. An immediate stop does not wait
     * for git.
     */
    static List<RunCommand.Git> clearing(RunState state) {
        boolean ends = state.condition() instanceof Condition.Stopping stopping && !stopping.now();
        return state.condition().proceeds() || ends ? toClear(state) : List.of();
    }

    /**
     * Whether worktrees of ended attempts still exist. A run pauses or ends only after their removal, since no later
     * check finds them.
     */
    static boolean clears(RunState state) {
        boolean finishes = awaited(state).stream().anyMatch(RunCommand.FinishWorktree.class::isInstance);
        return finishes || !clearing(state).isEmpty();
    }

    /** No agent works in these worktrees any more, so their heads do not matter. */
    private static List<RunCommand.Git> toClear(RunState state) {
        return state.git().stream()
                .flatMap(git -> git.over().stream()
                        .map(name -> WorktreeNames.ofAttempt(
                                state,
                                git,
                                name,
                                git.origin().base(),
                                git.origin().base())))
                .<RunCommand.Git>map(RunCommand.DropWorktree::new)
                .toList();
    }

    /** Whether all phases are complete and only the run's worktree remains to be removed. */
    static boolean isComplete(RunState state) {
        return state.phase().isEmpty()
                && state.steps().isEmpty()
                && state.consultation().isEmpty()
                && state.git().stream().allMatch(git -> git.over().isEmpty());
    }

    /** Whether this item's attempt is approved and waits for its merge. */
    static boolean mergeIsDue(RunState state, EachPhase phase, ItemWork item) {
        Optional<ItemBranch> branch = state.git().flatMap(git -> git.item(item.id()));
        return branch.isPresent()
                && !branch.get().undoes()
                && EachRules.isOver(phase, item)
                && EachRules.outcome(item) == UnitOutcome.APPROVED
                && !EachRules.isBusy(state, item)
                && !(EachRules.isHeld(state, item) && !(state.condition() instanceof Condition.Stopping));
    }

    private static RunCommand.MergeItem merge(RunState state, EachPhase phase, ItemWork item) {
        GitState git = state.git().orElseThrow();
        ItemBranch branch = git.item(item.id()).orElseThrow();
        return new RunCommand.MergeItem(
                phase.name(),
                item.id(),
                item.attempts(),
                WorktreeNames.ofRun(state, git),
                WorktreeNames.ofItem(state, git, branch));
    }

    /** Undoes the changes of a repeated attempt before its first step. */
    private static List<RunCommand.UndoWork> undo(RunState state) {
        GitState git = state.git().orElseThrow();
        if (state.cursor().work() instanceof LoopWork loop && undoIsDue(state, loop)) {
            Iteration iteration = loop.current().orElseThrow();
            String phase = state.phase().orElseThrow().name();
            return List.of(
                    new RunCommand.UndoWork(earlierTry(phase, iteration), WorktreeNames.ofRun(state, git), git.head()));
        }
        if (state.cursor().work() instanceof EachWork each) {
            return each.running()
                    .filter(item -> undoIsDue(state, item))
                    .map(item -> undo(state, item))
                    .toList();
        }
        return List.of();
    }

    private static RunCommand.UndoWork undo(RunState state, ItemWork item) {
        GitState git = state.git().orElseThrow();
        ItemBranch branch = git.item(item.id()).orElseThrow();
        return new RunCommand.UndoWork(earlierTry(branch), WorktreeNames.ofItem(state, git, branch), branch.base());
    }

    private static String earlierTry(String phase, Iteration iteration) {
        return phase + "." + iteration.number() + "." + (iteration.attempt() - 1);
    }

    private static String earlierTry(ItemBranch branch) {
        return branch.name() + "-" + branch.undo();
    }

    /** Whether the changes of this try are undone already; the next launch may wait long for its permit. */
    private static boolean isUndone(RunState state, String earlierTry) {
        return state.ledger().warned().contains(undoKey(earlierTry));
    }

    private static String undoKey(String earlierTry) {
        return "undone:" + earlierTry;
    }

    /** Whether the changes of the attempt must be undone in git; without commits there is no state to return to. */
    static boolean undoIsDue(RunState state, LoopWork loop) {
        Optional<Iteration> current = loop.current();
        if (state.git().flatMap(GitState::began).isEmpty()
                || WorktreeNames.isolation(state).commit() == CommitEvery.NONE
                || current.filter(iteration -> iteration.attempt() > 1
                                && iteration.nextStep() == 0
                                && iteration.notes().isEmpty())
                        .isEmpty()) {
            return false;
        }
        String phase = state.phase().orElseThrow().name();
        String prefix = phase + "." + current.get().number() + ".";
        String suffix = "." + current.get().attempt();
        return state.steps().isEmpty()
                && !isUndone(state, earlierTry(phase, current.get()))
                && state.cursor().launches().keySet().stream()
                        .noneMatch(stem -> stem.startsWith(prefix) && stem.endsWith(suffix));
    }

    static boolean undoIsDue(RunState state, ItemWork item) {
        return state.git()
                .flatMap(git -> git.item(item.id()))
                .filter(branch -> branch.undoes() && !isUndone(state, earlierTry(branch)))
                .filter(branch -> !EachRules.isBusy(state, item))
                .isPresent();
    }

    /** A git command ended. A result that the run does not wait for changes nothing. */
    static Decision decide(DecisionBuilder builder, RunInput.GitDone done) {
        if (toClear(builder.state()).contains(done.order())) {
            builder.emit(Notice.cleared(nameOf(builder.state(), done.order()), kept(done)));
        } else if (awaited(builder.state()).contains(done.order())) {
            builder.answered(done.order());
            if (done.order() instanceof RunCommand.FinishWorktree) {
                kept(done).ifPresent(kept -> builder.emit(Notice.cleared(WorktreeNames.OF_RUN, Optional.of(kept))));
            } else if (done.result() instanceof GitResult.Failed failed) {
                builder.end(
                        EndReason.of(
                                StandardReason.INFRASTRUCTURE, failed.failure().message()),
                        StopMode.TERMINATE);
            } else if (done.result() instanceof GitResult.Merged merged) {
                merged(builder, (RunCommand.MergeItem) done.order(), merged.merge());
            } else if (done.result() instanceof GitResult.Undone undone) {
                String message = undone.kept()
                        .map(ref -> "the undone changes are kept as " + ref)
                        .orElse("there were no changes to undo");
                builder.emit(Notice.once("undone", undoKey(((RunCommand.UndoWork) done.order()).keepAs()), message));
            }
        }
        PhaseDriver.run(builder);
        return builder.done();
    }

    private static String nameOf(RunState state, RunCommand.Git order) {
        GitState git = state.git().orElseThrow();
        return git.over().get(toClear(state).indexOf(order));
    }

    /** A worktree that cannot be removed does not affect its work. */
    private static Optional<KeptWorktree> kept(RunInput.GitDone done) {
        if (done.result() instanceof GitResult.Failed failed) {
            return Optional.of(
                    new KeptWorktree(folder(done.order()), failed.failure().message()));
        }
        return done.result() instanceof GitResult.Finished finished ? finished.kept() : Optional.empty();
    }

    private static String folder(RunCommand.Git order) {
        return order instanceof RunCommand.DropWorktree drop ? drop.worktree().folder() : WorktreeNames.OF_RUN;
    }

    private static void merged(DecisionBuilder builder, RunCommand.MergeItem order, Merge merge) {
        boolean conflict = !merge.conflicts().isEmpty();
        Optional<String> leaves = WorktreeNames.nameOf(builder.state(), order.item());
        if (conflict || merge.commit().isPresent()) {
            builder.emit(new WorkspaceMerged(order.phase(), order.item(), order.attempt(), merge));
        }
        EachWork each = (EachWork) builder.state().cursor().work();
        EachRules.endAttempt(
                builder,
                (EachPhase) builder.state().phase().orElseThrow(),
                each.item(order.item()),
                conflict ? UnitOutcome.REJECTED : UnitOutcome.APPROVED,
                leaves);
    }

    /** Issues the pending commands, each once in a decision, and only the first merge. */
    static void ask(DecisionBuilder builder) {
        boolean merges = false;
        for (RunCommand.Git order : awaited(builder.state())) {
            boolean merge = order instanceof RunCommand.MergeItem;
            if (!builder.isAnswered(order) && !(merge && merges)) {
                builder.command(order);
            }
            merges = merges || merge;
        }
    }
}
