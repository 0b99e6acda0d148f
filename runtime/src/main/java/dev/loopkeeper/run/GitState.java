package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.run.git.ItemBranch;
import dev.loopkeeper.run.git.KeptWorktree;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recorded git state of a run.
 *
 * @param branch of the run, without {@code refs/heads/}
 * @param at its recorded commit
 * @param began its commit at the beginning of the current iteration
 * @param items the branches of items in progress, by item
 * @param over worktrees of ended attempts to remove, e.g. {@code frames.f1.2-57}
 * @param kept worktrees that stay after their work ended
 */
@RecordBuilder
public record GitState(
        GitOrigin origin,
        String branch,
        Point at,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Point> began,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, ItemBranch> items,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> over,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeptWorktree> kept)
        implements GitStateBuilder.With {
    /**
     * A commit of the run's branch.
     *
     * @param total what changed since the base
     */
    public record Point(String commit, Changed total) {}

    static GitState begin(GitOrigin origin, String branch) {
        return new GitState(
                origin,
                branch,
                new Point(origin.base(), Changed.NOTHING),
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of());
    }

    /** Newest recorded commit of the run's branch. */
    public String head() {
        return at.commit();
    }

    /** The branch of this item's current attempt. */
    public Optional<ItemBranch> item(String id) {
        return Optional.ofNullable(items.get(id))
                .filter(branch -> !branch.name().isEmpty());
    }

    /** Conflicting files of this item's ending attempt. */
    List<String> unmerged(String item) {
        ItemBranch known = items.get(item);
        return known != null && known.name().isEmpty() ? known.conflicts() : List.of();
    }

    GitState at(String commit, Changed total) {
        return withAt(new Point(commit, total));
    }

    /** An iteration begins. */
    GitState marked() {
        return withBegan(Optional.of(at));
    }

    /** Resets the branch to the beginning of the current iteration. */
    GitState undone() {
        return withAt(began.orElse(at));
    }

    GitState with(String item, ItemBranch branchOfItem) {
        return withItems(Copies.plus(items, item, branchOfItem));
    }

    /** A new attempt begins, or the same one begins again. */
    GitState begun(ItemStarted started, long sequence) {
        if (started.again()) {
            ItemBranch known = items.get(started.item());
            return known == null || !started.undo() ? this : with(started.item(), known.undoing(sequence));
        }
        ItemBranch before = items.get(started.item());
        List<String> conflicts = before == null ? List.of() : before.conflicts();
        // The name includes the event sequence: a reset restarts attempt numbers, but never the sequence.
        String plain = started.item().replace("..", ".-");
        String name = started.phase() + "." + plain + "." + started.attempt() + "-" + sequence;
        return leaving(started.leaves()).with(started.item(), ItemBranch.begin(name, head(), conflicts));
    }

    /** An attempt ended; the next attempt learns the files that could not be merged. */
    GitState ended(ItemFinished finished) {
        ItemBranch known = items.get(finished.item());
        boolean conflicted =
                !finished.isFinal() && known != null && known.name().isEmpty();
        GitState left = leaving(finished.leaves());
        return conflicted ? left : left.withItems(Copies.minus(items, finished.item()));
    }

    /** The phase ended. */
    GitState betweenPhases() {
        return withBegan(Optional.empty()).withItems(Map.of());
    }

    /** Marks this attempt's worktree for removal. */
    GitState leaving(Optional<String> name) {
        return name.isEmpty() || over.contains(name.get()) ? this : withOver(Copies.plus(over, name.get()));
    }

    /** The worktree was removed, or it stays. */
    GitState cleared(String name, Optional<KeptWorktree> stays) {
        List<String> left =
                over.stream().filter(worktree -> !worktree.equals(name)).toList();
        List<KeptWorktree> all = stays.filter(worktree -> !kept.contains(worktree))
                .map(worktree -> Copies.plus(kept, worktree))
                .orElse(kept);
        return withOver(left).withKept(all);
    }

    GitState launched(String item) {
        ItemBranch known = items.get(item);
        return known == null || !known.undoes() ? this : with(item, known.withUndo(0));
    }
}
