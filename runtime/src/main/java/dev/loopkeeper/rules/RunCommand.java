package dev.loopkeeper.rules;

import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something to be done, once the events it came with are durable. Safe to repeat. */
public sealed interface RunCommand {
    /**
     * Launch a step.
     *
     * @param recovered whether an earlier runtime may have launched it already
     * @param lost whether it went with its node: it is not launched, only what it left in the workspace is read
     */
    record Launch(StepSpec step, boolean recovered, boolean lost) implements RunCommand {
        /** One that is launched here, or was. */
        public Launch(StepSpec step, boolean recovered) {
            this(step, recovered, false);
        }
    }

    /** End a step's processes; {@code now} skips the grace. */
    record StopStep(String stepId, boolean now) implements RunCommand {}

    /**
     * Try once more to end what these steps left alive, and send {@link RunInput.Swept}; {@code now} skips the grace.
     */
    record Sweep(List<String> stepIds, boolean now) implements RunCommand {}

    /** Send {@link RunInput.TimerDue} at this time; a new time replaces an earlier one. */
    record WakeAt(Instant due) implements RunCommand {}

    /**
     * Read the items of a phase that is about to begin, and send {@link RunInput.ItemsRead}.
     *
     * @param file as the manifest names it
     * @param worktree the run's own, in which a file of the repository is read; absent: it has none
     * @param first whether no phase comes before, so that a file which is not in the worktree is where it was checked
     */
    record ReadItems(String phase, String file, Optional<StepWorktree> worktree, boolean first) implements RunCommand {}

    /** Something to be done in git, after which {@link RunInput.GitDone} is sent with it. */
    sealed interface Git extends RunCommand {}

    /**
     * Merge an approved item into the run's branch.
     *
     * @param into the run's worktree
     * @param from that of the item's attempt
     */
    record MergeItem(String phase, String item, int attempt, StepWorktree into, StepWorktree from) implements Git {
        /** However far the run's branch has come meanwhile, it is the same merge. */
        public MergeItem {
            into = into.headedAt(into.base());
        }
    }

    /**
     * Undo what an earlier try changed in this worktree.
     *
     * @param keepAs names what is undone, and nothing else of the run
     * @param to full hash of the commit that it goes back to
     */
    record UndoWork(String keepAs, StepWorktree worktree, String to) implements Git {}

    /** The run is complete: remove its worktree where it holds nothing that is not committed, unless it is to stay. */
    record FinishWorktree(StepWorktree worktree, boolean keep) implements Git {}

    /** An attempt is over: remove its worktree and branch. Only the end and a pause of the run wait for it. */
    record DropWorktree(StepWorktree worktree) implements Git {}
}
