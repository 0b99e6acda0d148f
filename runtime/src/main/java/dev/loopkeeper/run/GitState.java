package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far a run has come in git, as far as it is recorded.
 *
 * @param branch of the run, without {@code refs/heads/}
 * @param at where that is
 * @param began where it was when the present iteration began
 * @param items the branches of items that are under way, by item
 * @param over names of worktrees of attempts that are over, which are to be cleared away, e.g. {@code frames.f1.2-57}
 * @param kept worktrees that stay although their work is over
 */
public record GitState(
        GitOrigin origin,
        String branch,
        Point at,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Point> began,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, ItemBranch> items,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> over,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeptWorktree> kept) {
    /**
     * A commit of the run's branch.
     *
     * @param total what changed since the base
     */
    public record Point(String commit, Changed total) {}

    /** Older snapshots know of none that are over. */
    public GitState {
        items = items == null ? Map.of() : items;
        over = over == null ? List.of() : List.copyOf(over);
        began = began == null ? Optional.empty() : began;
        kept = kept == null ? List.of() : List.copyOf(kept);
    }

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

    /** The branch of this item's attempt under way. */
    public Optional<ItemBranch> item(String id) {
        return Optional.ofNullable(items.get(id))
                .filter(branch -> !branch.name().isEmpty());
    }

    /** Files for which this item's attempt, which is about to end, could not be merged. */
    List<String> unmerged(String item) {
        ItemBranch known = items.get(item);
        return known != null && known.name().isEmpty() ? known.conflicts() : List.of();
    }

    GitState at(String commit, Changed total) {
        return new GitState(origin, branch, new Point(commit, total), began, items, over, kept);
    }

    /** An iteration begins. */
    GitState marked() {
        return new GitState(origin, branch, at, Optional.of(at), items, over, kept);
    }

    /** What the iteration under way did is undone. */
    GitState undone() {
        return new GitState(origin, branch, began.orElse(at), began, items, over, kept);
    }

    GitState with(String item, ItemBranch branchOfItem) {
        return withItems(Copies.plus(items, item, branchOfItem));
    }

    /** An attempt begins, or the same one again. */
    GitState begun(ItemStarted started, long sequence) {
        if (started.again()) {
            ItemBranch known = items.get(started.item());
            return known == null || !started.undo() ? this : with(started.item(), known.undoing(sequence));
        }
        ItemBranch before = items.get(started.item());
        List<String> conflicts = before == null ? List.of() : before.conflicts();
        // Attempts are counted anew when an item is reset or its phase runs again: the sequence is never.
        String plain = started.item().replace("..", ".-");
        String name = started.phase() + "." + plain + "." + started.attempt() + "-" + sequence;
        return leaving(started.leaves()).with(started.item(), ItemBranch.begin(name, head(), conflicts));
    }

    /** An attempt is over; files for which it could not be merged are told to the next one. */
    GitState ended(ItemFinished finished) {
        ItemBranch known = items.get(finished.item());
        boolean tells = !finished.isFinal() && known != null && known.name().isEmpty();
        GitState left = leaving(finished.leaves());
        return tells ? left : left.withItems(Copies.minus(items, finished.item()));
    }

    /** Its phase is left. */
    GitState betweenPhases() {
        return new GitState(origin, branch, at, Optional.empty(), Map.of(), over, kept);
    }

    /** This worktree of an attempt is not needed any more. */
    GitState leaving(Optional<String> name) {
        return name.isEmpty() || over.contains(name.get())
                ? this
                : new GitState(origin, branch, at, began, items, Copies.plus(over, name.get()), kept);
    }

    /** It is gone, or stays. */
    GitState cleared(String name, Optional<KeptWorktree> stays) {
        List<String> left = over.stream().filter(any -> !any.equals(name)).toList();
        List<KeptWorktree> all = stays.filter(one -> !kept.contains(one))
                .map(one -> Copies.plus(kept, one))
                .orElse(kept);
        return new GitState(origin, branch, at, began, items, left, all);
    }

    private GitState withItems(Map<String, ItemBranch> changed) {
        return new GitState(origin, branch, at, began, changed, over, kept);
    }

    GitState launched(String item) {
        ItemBranch known = items.get(item);
        return known == null || !known.undoes() ? this : with(item, known.going());
    }
}
