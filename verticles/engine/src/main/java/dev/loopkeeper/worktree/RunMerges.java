package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.Changes;
import dev.loopkeeper.contract.worktree.MergeRun;
import dev.loopkeeper.contract.worktree.RunMerged;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Merges a run's branch in the person's checkout. The merge is made in the repository alone first, so that a conflict
 * touches nothing; the checkout is then moved forward to it as by {@code git merge --ff-only}. Blocking.
 */
final class RunMerges {
    private static final String BRANCHES = "refs/heads/";
    private static final int STATUS = 3;
    /** Git looks before it changes anything, and says so what is in the way. */
    private static final Pattern UNTOUCHED = Pattern.compile(
            "would be (?:overwritten|removed) by merge|would lose untracked files|index\\.lock': File exists");

    private final Calls calls;
    private final Commits commits;

    RunMerges(Calls calls, Commits commits) {
        this.calls = calls;
        this.commits = commits;
    }

    RunMerged merge(MergeRun command) {
        Path checkout = command.checkout();
        String into = branch(command);
        String head = commits.resolve(checkout, "HEAD")
                .orElseThrow(() -> new WorktreeException(Problem.NO_COMMIT, checkout + " has no commit yet"));
        String theirs = commits.resolve(checkout, command.branch())
                .orElseThrow(() -> new WorktreeException(
                        Problem.UNKNOWN_COMMIT, checkout + " has no branch or commit \"" + command.branch() + "\""));
        if (commits.isAncestor(checkout, theirs, head)) {
            return new RunMerged(into, Optional.of(head), true, List.of(), Changes.NONE);
        }
        refuseUnlessClean(checkout);
        Trees.Merged merged = Trees.merge(calls, checkout, head, theirs);
        if (!merged.conflicts().isEmpty()) {
            return new RunMerged(into, Optional.empty(), false, merged.conflicts(), Changes.NONE);
        }
        if (command.squash() && merged.tree().equals(commits.tree(checkout, head))) {
            return new RunMerged(into, Optional.of(head), true, List.of(), Changes.NONE);
        }
        String commit = commit(command, head, theirs, merged.tree());
        move(command, into, commit);
        if (!commits.resolve(checkout, "HEAD").equals(Optional.of(commit))) {
            throw new WorktreeException(
                    Problem.FAILED, "git merge ended well, but " + into + " in " + checkout + " is not at " + commit);
        }
        Changes changes = commits.compare(checkout, commit, head).changes().get(0);
        return new RunMerged(into, Optional.of(commit), false, List.of(), changes);
    }

    /** Not cut off by what ends this process: it would leave a half of it in the person's checkout. */
    private void move(MergeRun command, String into, String commit) {
        Path checkout = command.checkout();
        GitCall call = GitCall.in(checkout, "merge", "--quiet", "--ff-only", "--no-autostash", commit)
                // Of all that it may say, e.g. --squash or --strategy=ours, nothing goes together with what is asked
                // here.
                .set("branch." + into + ".mergeOptions", "")
                .hooks(command.hooks())
                // A word to nobody would end it.
                .with(Map.of("GIT_PROGRESS_DELAY", "1000000"))
                .withOwnSession();
        GitAnswer answer = moved(call, commit);
        if (answer.isGood()) {
            return;
        }
        WorktreeException failure = Calls.failure(call, answer);
        if (!UNTOUCHED.matcher(answer.complaint()).find()) {
            throw partly(checkout, commit, failure);
        }
        throw failure.problem() == Problem.FAILED
                ? new WorktreeException(Problem.NOT_CLEAN, failure.getMessage())
                : failure;
    }

    private GitAnswer moved(GitCall call, String commit) {
        try {
            return calls.ask(call);
        } catch (WorktreeException failure) {
            throw failure.problem() == Problem.TIMED_OUT ? partly(call.folder(), commit, failure) : failure;
        }
    }

    /** The checkout was clean, and nothing that git does not track was in the way. */
    private WorktreeException partly(Path checkout, String commit, WorktreeException failure) {
        Path lock = checkout.resolve(calls.line(GitCall.in(checkout, "rev-parse", "--git-path", "index.lock"))
                .orElse("index.lock"));
        return new WorktreeException(
                Problem.PARTLY_MERGED,
                failure.getMessage() + "; " + checkout
                        + " may hold a part of the merge now; once that is put right, this ends it: "
                        + (Files.exists(lock) ? "rm " + WorkspaceChecks.quoted(lock) + " && " : "")
                        + "git -C " + WorkspaceChecks.quoted(checkout) + " reset --hard " + commit);
    }

    private String commit(MergeRun command, String head, String theirs, String tree) {
        Path checkout = command.checkout();
        if (!command.squash() && commits.isAncestor(checkout, head, theirs)) {
            return theirs;
        }
        String subject = (command.squash() ? "Squash run " : "Merge run ") + command.runId();
        String message = Commits.message(subject, List.of(Commits.trailer("Run", command.runId())));
        return command.squash()
                ? commits.make(checkout, tree, message, head)
                : commits.make(checkout, tree, message, head, theirs);
    }

    private String branch(MergeRun command) {
        Path checkout = command.checkout();
        String into = calls.line(GitCall.in(checkout, "symbolic-ref", "--quiet", "HEAD"))
                .filter(ref -> ref.startsWith(BRANCHES))
                .map(ref -> ref.substring(BRANCHES.length()))
                .orElseThrow(() -> new WorktreeException(
                        Problem.WRONG_BRANCH, checkout + " is on no branch; check one out there first"));
        if (command.into().filter(wanted -> !wanted.equals(into)).isPresent()) {
            throw new WorktreeException(
                    Problem.WRONG_BRANCH,
                    checkout + " is on " + into + " and not on "
                            + command.into().get() + "; check that out there first");
        }
        return into;
    }

    private void refuseUnlessClean(Path checkout) {
        GitCall call = GitCall.in(checkout, "status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames")
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"));
        List<String> changed = calls.good(call).fields().stream()
                .map(field -> GitNames.spelled(Arrays.copyOfRange(field, Math.min(STATUS, field.length), field.length)))
                .toList();
        if (!changed.isEmpty()) {
            throw new WorktreeException(
                    Problem.NOT_CLEAN,
                    checkout + " has changes that are not committed: " + String.join(", ", changed)
                            + "; commit or undo them first",
                    changed);
        }
        for (String state : List.of("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")) {
            if (calls.line(GitCall.in(checkout, "rev-parse", "--verify", "--quiet", state))
                    .isPresent()) {
                throw new WorktreeException(
                        Problem.NOT_CLEAN, "a merge is under way in " + checkout + "; end it or abort it first");
            }
        }
    }
}
