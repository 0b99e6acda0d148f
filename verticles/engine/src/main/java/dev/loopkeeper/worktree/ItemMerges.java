package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Merges branches of items into the branch of their run. Blocking. */
record ItemMerges(
        GitCalls calls,
        Commits commits,
        Folders folders,
        StaleLocks locks,
        Checkouts checkouts,
        Uncommitted uncommitted,
        OnlyCopies onlyCopies,
        StepCommits steps) {
    /** Exit code of a git that aborted. */
    private static final int FATAL = 128;
    /** Prefix for the names of saved changes that blocked a merge. */
    private static final String SAVED_PREFIX = "merge-";

    ItemMerged merge(MergeItem command) {
        WorktreeLocation location = command.location();
        Checkout checkout = checkouts.open(location);
        Path folder = checkout.folder();
        locks.removeOfRefsBelow(
                checkout.commonDir(), List.of(folder, checkout.gitDir()), Refs.undone(location.runId(), SAVED_PREFIX));
        String head = completeMerge(checkout, location, checkouts.head(checkout, location, command.base()));
        String branch = command.from().branch();
        steps.commitRest(command.from(), command.item() + "." + command.attempt(), command.hooks());
        String item = commits.resolve(folder, Refs.branch(branch))
                .orElseThrow(() -> new WorktreeException(Problem.UNKNOWN_COMMIT, "there is no branch " + branch));
        List<String> trailers = List.of(
                Commits.trailer("Run", location.runId()),
                Commits.trailer("Item", command.item()),
                Commits.trailer("Attempt", Integer.toString(command.attempt())));
        Trees.Merged merged = Trees.merge(calls, folder, head, item);
        if (!merged.conflicts().isEmpty()) {
            return answer(command, folder, Optional.empty(), merged.conflicts(), head, head);
        }
        if (merged.tree().equals(commits.tree(folder, head))) {
            return found(command, folder, head, trailers);
        }
        String subject = "Merge item " + command.item();
        String commit = commits.make(folder, merged.tree(), Commits.message(subject, trailers), head, item);
        onlyCopies.moveAside(checkout, head, commit, folders.lost(location));
        checkout.beginMerge(commit);
        GitCall call = GitCall.in(folder, "read-tree", "-m", "-u", head, commit);
        GitAnswer read = calls.ask(call);
        if (!read.isGood()) {
            throw refused(checkout, GitCalls.failure(call, read), read);
        }
        end(checkout, location, head, commit);
        return answer(command, folder, Optional.of(commit), List.of(), commit, head);
    }

    /**
     * Builds the failure. Git checks before it changes files, but one that was killed, or met a full disk or a failed
     * filter, may have changed some.
     */
    private static WorktreeException refused(Checkout checkout, WorktreeException failure, GitAnswer read) {
        if (read.exit() > FATAL || failure.problem() != Problem.FAILED || GitCalls.isOfFilter(read)) {
            return failure;
        }
        checkout.endMerge();
        return new WorktreeException(Problem.NOT_CLEAN, failure.getMessage());
    }

    /** Returns the result when nothing is left to merge: it was merged before, or adds no change. */
    private ItemMerged found(MergeItem command, Path folder, String head, List<String> trailers) {
        Optional<String> made = commits.find(folder, command.base(), head, trailers, "--first-parent");
        if (made.isEmpty()) {
            return answer(command, folder, made, List.of(), head, head);
        }
        String before = commits.resolve(folder, made.get() + "^1").orElse(command.base());
        Commits.Compared then = commits.compare(folder, made.get(), before);
        Commits.Compared now = commits.compare(folder, head, command.base());
        return new ItemMerged(
                made,
                List.of(),
                head,
                now.tree(),
                then.changes().get(0),
                now.changes().get(0));
    }

    /** @param before the commit that the changes are counted from */
    private ItemMerged answer(
            MergeItem command,
            Path folder,
            Optional<String> commit,
            List<String> conflicts,
            String head,
            String before) {
        Commits.Compared now = commits.compare(folder, head, before, command.base());
        return new ItemMerged(
                commit,
                conflicts,
                head,
                now.tree(),
                now.changes().get(0),
                now.changes().get(1));
    }

    /**
     * Completes a merge that a crash interrupted; the worktree may have some of its files. Changes of others that block
     * it stay reachable.
     */
    private String completeMerge(Checkout checkout, WorktreeLocation location, String head) {
        Path folder = checkout.folder();
        Optional<String> merging = checkout.merging();
        if (merging.isEmpty()) {
            return head;
        }
        String commit = merging.get();
        if (!head.equals(commit) && !commits.resolve(folder, commit + "^1").equals(Optional.of(head))) {
            // Another commit was added since then, so the merge is repeated.
            checkout.endMerge();
            return head;
        }
        Optional<String> saved = uncommitted
                .save(folder, commit, "Found when a merge was ended", location.runId())
                .filter(found -> !commits.tree(folder, found).equals(commits.tree(folder, head)));
        saved.ifPresent(found ->
                commits.update(folder, "update " + Refs.undone(location.runId(), SAVED_PREFIX + commit) + " " + found));
        onlyCopies.moveAside(checkout, saved.orElse(head), commit, folders.lost(location));
        calls.good(GitCall.in(folder, "read-tree", "--reset", "-u", commit));
        end(checkout, location, head, commit);
        return commit;
    }

    private void end(Checkout checkout, WorktreeLocation location, String head, String commit) {
        commits.update(checkout.folder(), "update " + Refs.branch(location.branch()) + " " + commit + " " + head);
        checkout.syncRef(location.branch());
        checkout.endMerge();
    }
}
