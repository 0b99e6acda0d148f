package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.CheckoutChannels.RunMerged;
import dev.loopkeeper.contract.WorktreeChannels.Changes;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Merges a run's branch into a branch of the user. The merge commit is made in the repository only, so that a conflict
 * changes nothing. A checkout on that branch is then moved forward as by {@code git merge --ff-only}; for any other
 * branch only the ref changes. Blocking.
 */
final class RunMerges {
    private static final String BRANCHES = "refs/heads/";
    /** Output of a git that refused before it changed anything; it names what blocks. */
    private static final Pattern UNTOUCHED = Pattern.compile(
            "would be (?:overwritten|removed) by merge|would lose untracked files|index\\.lock': File exists");

    private final GitCalls calls;
    private final Commits commits;
    private final Uncommitted uncommitted;
    private final Registrations registrations;

    RunMerges(GitCalls calls, Commits commits, Uncommitted uncommitted, Registrations registrations) {
        this.uncommitted = uncommitted;
        this.calls = calls;
        this.commits = commits;
        this.registrations = registrations;
    }

    RunMerged merge(MergeRun command) {
        Path checkout = command.checkout();
        Optional<String> current = current(checkout);
        String into = command.into()
                .or(() -> current)
                .orElseThrow(() -> new WorktreeException(
                        Problem.WRONG_BRANCH,
                        checkout + " is on no branch; check out a branch there first, or name one with --into BRANCH"));
        boolean checkedOut = current.filter(into::equals).isPresent();
        String head = checkedOut ? head(checkout) : tip(checkout, into);
        String theirs = commits.resolve(checkout, command.branch())
                .orElseThrow(() -> new WorktreeException(
                        Problem.UNKNOWN_COMMIT, checkout + " has no branch or commit \"" + command.branch() + "\""));
        if (commits.isAncestor(checkout, theirs, head)) {
            return RunMerged.already(into, head);
        }
        if (checkedOut) {
            refuseUnlessClean(checkout);
        } else {
            refuseCheckedOut(checkout, into);
        }
        Trees.Merged merged = Trees.merge(calls, checkout, head, theirs);
        if (!merged.conflicts().isEmpty()) {
            return RunMerged.conflicting(into, merged.conflicts());
        }
        if (command.squash() && merged.tree().equals(commits.tree(checkout, head))) {
            return RunMerged.already(into, head);
        }
        String commit = commit(command, head, theirs, merged.tree());
        Commits.Compared compared = commits.compare(checkout, commit, head);
        Changes changes = compared.changes().get(0);
        List<String> withoutFiles = withoutFiles(checkout, commit, compared.links());
        if (command.dryRun()) { // the commit is in no branch, so git removes it later
            return RunMerged.planned(into, changes, withoutFiles);
        }
        if (checkedOut) {
            move(command, into, commit);
        } else {
            calls.good(GitCall.in(
                    checkout, "update-ref", "-m", "merge run " + command.runId(), Refs.branch(into), commit, head));
        }
        if (!commits.resolve(checkout, checkedOut ? "HEAD" : Refs.branch(into)).equals(Optional.of(commit))) {
            throw new WorktreeException(
                    Problem.FAILED, "git reported success, but " + into + " of " + checkout + " is not at " + commit);
        }
        return new RunMerged(into, Optional.of(commit), false, List.of(), changes, withoutFiles);
    }

    private String head(Path checkout) {
        return commits.resolve(checkout, "HEAD")
                .orElseThrow(() -> new WorktreeException(Problem.NO_COMMIT, checkout + " has no commit yet"));
    }

    private String tip(Path checkout, String into) {
        return commits.resolve(checkout, Refs.branch(into))
                .orElseThrow(() -> new WorktreeException(
                        Problem.UNKNOWN_COMMIT,
                        checkout + " has no branch \"" + into + "\"; create it first, e.g. with git branch " + into));
    }

    /** Refuses a branch that is checked out elsewhere, whose files would not follow. */
    private void refuseCheckedOut(Path checkout, String into) {
        for (Registrations.Registered other : registrations.list(checkout)) {
            if (other.branch().equals(Refs.branch(into))) {
                throw new WorktreeException(
                        Problem.WRONG_BRANCH,
                        into + " is checked out in "
                                + other.folder().map(Path::toString).orElse("another worktree")
                                + ", whose files would not change; merge there, or check out another branch there first");
            }
        }
    }

    /** Returns the links to other repositories for which no {@code .gitmodules} has a URL. */
    private List<String> withoutFiles(Path checkout, String commit, List<String> links) {
        if (links.isEmpty()) {
            return links;
        }
        GitAnswer declared = calls.ask(GitCall.in(
                checkout,
                "config",
                "--blob",
                commit + ":.gitmodules",
                "-z",
                "--get-regexp",
                "^submodule\\..*\\.path$"));
        List<String> submodules = declared.fields().stream()
                .map(field -> new String(field, StandardCharsets.UTF_8))
                .map(field -> field.substring(field.indexOf('\n') + 1))
                .toList();
        return links.stream().filter(path -> !submodules.contains(path)).toList();
    }

    /**
     * Moves the user's checkout. The shutdown of this process does not interrupt it, which would leave the checkout
     * half changed.
     */
    private void move(MergeRun command, String into, String commit) {
        Path checkout = command.checkout();
        GitCall call = GitCall.in(checkout, "merge", "--quiet", "--ff-only", "--no-autostash", commit)
                // Options such as --squash or --strategy=ours contradict this request.
                .set("branch." + into + ".mergeOptions", "")
                .hooks(command.hooks())
                // Writing to a closed output would end it.
                .with(Map.of("GIT_PROGRESS_DELAY", "1000000"))
                .withOwnSession();
        GitAnswer answer = moved(call, commit);
        if (answer.isGood()) {
            return;
        }
        WorktreeException failure = GitCalls.failure(call, answer);
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

    /** Builds the failure of a partial move; the checkout was clean, and no untracked file was in the way. */
    private WorktreeException partly(Path checkout, String commit, WorktreeException failure) {
        Path lock = checkout.resolve(calls.line(GitCall.in(checkout, "rev-parse", "--git-path", "index.lock"))
                .orElse("index.lock"));
        return new WorktreeException(
                Problem.PARTLY_MERGED,
                failure.getMessage() + "; " + checkout
                        + " may now contain a part of the merge; after correcting the cause, remove that part with: "
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

    /** Returns the checked out branch; empty where there is none. */
    private Optional<String> current(Path checkout) {
        return calls.line(GitCall.in(checkout, "symbolic-ref", "--quiet", "HEAD"))
                .filter(ref -> ref.startsWith(BRANCHES))
                .map(ref -> ref.substring(BRANCHES.length()));
    }

    private void refuseUnlessClean(Path checkout) {
        List<String> changed = uncommitted.tracked(checkout);
        if (!changed.isEmpty()) {
            throw new WorktreeException(
                    Problem.NOT_CLEAN,
                    checkout + " has uncommitted changes: " + String.join(", ", changed)
                            + "; commit or undo them first",
                    changed);
        }
        for (String state : List.of("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")) {
            if (calls.line(GitCall.in(checkout, "rev-parse", "--verify", "--quiet", state))
                    .isPresent()) {
                throw new WorktreeException(
                        Problem.NOT_CLEAN, "a merge is in progress in " + checkout + "; complete or abort it first");
            }
        }
    }
}
