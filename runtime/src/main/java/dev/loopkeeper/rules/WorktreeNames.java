package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.Isolation;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.run.GitState;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.git.GitText;
import dev.loopkeeper.run.git.ItemBranch;
import dev.loopkeeper.step.StepWorktree;
import java.util.List;
import java.util.Optional;

/** Names the worktrees and branches of a run and of its items' attempts. */
public final class WorktreeNames {
    static final String OF_RUN = "worktree";

    private static final String OF_ITEMS = "worktrees/";
    private static final String BRANCHES_OF_ITEMS = "loopkeeper/items/";

    private WorktreeNames() {}

    /**
     * The branches that a run of this manifest creates, without {@code refs/heads/}: its own, and one that represents
     * the attempts of items. Empty without worktrees.
     */
    public static List<String> branches(Manifest manifest, String runId) {
        if (manifest.isolation().isEmpty()) {
            return List.of();
        }
        String own = manifest.isolation().get().branchOf(runId, manifest.name());
        boolean items = manifest.phases().stream().anyMatch(EachPhase.class::isInstance);
        return items ? List.of(own, BRANCHES_OF_ITEMS + runId + "/item") : List.of(own);
    }

    /** The worktree of this item's current attempt, or of the run; empty without worktrees. */
    static Optional<StepWorktree> of(RunState state, Optional<String> item) {
        return state.git().map(git -> {
            Optional<ItemBranch> branch = item.flatMap(git::item);
            return branch.map(own -> ofItem(state, git, own)).orElseGet(() -> ofRun(state, git));
        });
    }

    static StepWorktree ofRun(RunState state, GitState git) {
        return of(
                state,
                git,
                OF_RUN,
                new StepWorktree.Branch(git.branch(), git.origin().base(), git.head()));
    }

    static StepWorktree ofItem(RunState state, GitState git, ItemBranch branch) {
        return ofAttempt(state, git, branch.name(), branch.base(), branch.head());
    }

    static StepWorktree ofAttempt(RunState state, GitState git, String name, String base, String head) {
        String branch = BRANCHES_OF_ITEMS + state.runId() + "/" + name;
        return of(state, git, OF_ITEMS + name, new StepWorktree.Branch(branch, base, head));
    }

    private static StepWorktree of(RunState state, GitState git, String folder, StepWorktree.Branch branch) {
        Isolation isolation = isolation(state);
        return new StepWorktree(
                git.origin().repository(),
                git.origin().prefix(),
                folder,
                branch,
                isolation.hooks(),
                isolation.copy(),
                isolation.setup().map(setup -> setup.within(StepSpecs.narrowest(state))));
    }

    /** The name of the worktree of this item's current attempt. */
    static Optional<String> nameOf(RunState state, String item) {
        return state.git().flatMap(git -> git.item(item)).map(ItemBranch::name);
    }

    static Isolation isolation(RunState state) {
        return state.manifest().isolation().orElse(Isolation.DEFAULTS);
    }

    /** The feedback to an item's attempt after a merge conflict of the previous one. */
    static Optional<String> conflict(RunState state, String item) {
        return state.git()
                .flatMap(git -> git.item(item))
                .map(ItemBranch::conflicts)
                .filter(files -> !files.isEmpty())
                .map(files ->
                        "The previous attempt was approved, but conflicts with changes that were merged since its start, in "
                                + GitText.names(files)
                                + ". This attempt starts from the merged state; do the work again.");
    }
}
