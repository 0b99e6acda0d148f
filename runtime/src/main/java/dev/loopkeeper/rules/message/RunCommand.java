package dev.loopkeeper.rules.message;

import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A command to execute once the events of its decision are durable. Safe to repeat. */
public sealed interface RunCommand {
    /**
     * Launches a step.
     *
     * @param recovered whether an earlier runtime may have launched it already
     * @param lost whether it was lost with its node: it is not launched; only its files in the workspace are read
     */
    record Launch(StepSpec step, boolean recovered, boolean lost) implements RunCommand {
        /** A launch on this node. */
        public Launch(StepSpec step, boolean recovered) {
            this(step, recovered, false);
        }
    }

    /**
     * Asks whether a step may be launched beside those of other runs. Sends {@link RunInput.Permitted} once it may, and
     * until then {@link RunInput.Held}.
     *
     * @param slot key of the step's position
     */
    record AskPermit(String slot, String agent) implements RunCommand {}

    /** Ends a step's processes; {@code now} skips the grace. */
    record StopStep(String stepId, boolean now) implements RunCommand {}

    /**
     * Tries once more to end the remaining processes of these steps, and sends {@link RunInput.Swept}; {@code now}
     * skips the grace.
     */
    record Sweep(List<String> stepIds, boolean now) implements RunCommand {}

    /** Sends {@link RunInput.TimerDue} at this time; a new time replaces an earlier one. */
    record WakeAt(Instant due) implements RunCommand {}

    /**
     * Reads the items of a phase that is about to begin, and sends {@link RunInput.ItemsRead}.
     *
     * @param file as the manifest names it
     * @param worktree the run's own, which contains files of the repository; absent without isolation
     * @param first whether this is the first phase: a file outside the worktree is then at its checked path
     */
    record ReadItems(String phase, String file, Optional<StepWorktree> worktree, boolean first) implements RunCommand {}

    /** A git command, after which {@link RunInput.GitDone} is sent. */
    sealed interface Git extends RunCommand {}

    /**
     * Merges an approved item into the run's branch.
     *
     * @param into the run's worktree
     * @param from that of the item's attempt
     */
    record MergeItem(String phase, String item, int attempt, StepWorktree into, StepWorktree from) implements Git {
        /** The identity of a merge ignores the progress of the run's branch. */
        public MergeItem {
            into = into.headedAt(into.branch().base());
        }
    }

    /**
     * Undoes the changes of an earlier attempt in this worktree.
     *
     * @param keepAs unique name of the undone changes
     * @param to full hash of the commit to restore
     */
    record UndoWork(String keepAs, StepWorktree worktree, String to) implements Git {}

    /** The run is complete: removes its worktree unless it has uncommitted changes or must stay. */
    record FinishWorktree(StepWorktree worktree, boolean keep) implements Git {}

    /** An attempt ended: removes its worktree and branch. Only a pause or the end of the run waits for it. */
    record DropWorktree(StepWorktree worktree) implements Git {}
}
