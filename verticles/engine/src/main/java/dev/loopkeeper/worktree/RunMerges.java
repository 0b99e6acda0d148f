package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
record RunMerges(GitCalls calls, Commits commits, Uncommitted uncommitted, Registrations registrations) {
    private static final String BRANCHES = "refs/heads/";
    /**
     * Output of a git that refused before it changed anything; it names what blocks. No exit code says that: git also
     * ends with 1 where it cannot write a file halfway. A dry run of read-tree would leave a moment in which a file may
     * still get in the way, and what undoes the merge would then remove that file.
     */
    private static final Pattern UNTOUCHED = Pattern.compile(
            "would be (?:overwritten|removed) by merge|would lose untracked files|index\\.lock': File exists");

    /**
     * The branch that receives the changes.
     *
     * @param head its commit
     */
    private record Target(Path checkout, String branch, boolean checkedOut, String head) {}

    RunMerged merge(MergeRun command) {
        Path checkout = command.checkout();
        Target target = target(command);
        String into = target.branch();
        String head = target.head();
        String theirs = commits.resolve(checkout, Refs.branch(command.branch()))
                .orElseThrow(() -> new WorktreeException(
                        Problem.UNKNOWN_COMMIT, checkout + " has no branch \"" + command.branch() + "\""));
        if (commits.isAncestor(checkout, theirs, head)) {
            return RunMerged.already(into, head);
        }
        if (target.checkedOut()) {
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
        advance(command, target, commit);
        return new RunMerged(into, Optional.of(commit), false, List.of(), changes, withoutFiles);
    }

    private Target target(MergeRun command) {
        Path checkout = command.checkout();
        Optional<String> current = current(checkout);
        String into = command.into()
                .or(() -> current)
                .orElseThrow(() -> new WorktreeException(
                        Problem.WRONG_BRANCH,
                        checkout + " is on no branch; check out a branch there first, or name one with --into BRANCH"));
        boolean checkedOut = current.filter(into::equals).isPresent();
        return new Target(checkout, into, checkedOut, checkedOut ? head(checkout) : tip(checkout, into));
    }

    /** Moves the branch to the commit, and the checkout where it is on that branch. */
    private void advance(MergeRun command, Target target, String commit) {
        String ref = Refs.branch(target.branch());
        if (target.checkedOut()) {
            move(command, target, commit);
        } else {
            calls.good(GitCall.in(
                    target.checkout(), "update-ref", "-m", "merge run " + command.runId(), ref, commit, target.head()));
        }
        if (!commits.resolve(target.checkout(), target.checkedOut() ? "HEAD" : ref)
                .equals(Optional.of(commit))) {
            throw new WorktreeException(
                    Problem.FAILED,
                    "git reported success, but " + target.branch() + " of " + target.checkout() + " is not at "
                            + commit);
        }
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
    private void move(MergeRun command, Target target, String commit) {
        Path checkout = target.checkout();
        String head = target.head();
        List<String> added = commits.filesOf(checkout, "A", head, commit);
        List<String> present = present(checkout, added);
        if (!present.isEmpty()) {
            throw new WorktreeException(
                    Problem.NOT_CLEAN,
                    "the merge would overwrite files of " + checkout + " that are in no commit: "
                            + String.join(", ", present) + "; move them away first",
                    present);
        }
        GitCall call = GitCall.in(
                        checkout, "merge", "--quiet", "--ff-only", "--no-autostash", "--no-overwrite-ignore", commit)
                // Options such as --squash or --strategy=ours contradict this request.
                .set("branch." + target.branch() + ".mergeOptions", "")
                .hooks(command.hooks())
                // Writing to a closed output would end it.
                .with(Map.of("GIT_PROGRESS_DELAY", "1000000"))
                .withOwnSession();
        moved(call).ifPresent(failure -> {
            if (!commits.resolve(checkout, "HEAD").equals(Optional.of(commit))) {
                throw undone(checkout, head, commit, added, failure);
            }
        });
    }

    /** Returns those of the paths at which there is something other than a folder. */
    private static List<String> present(Path checkout, List<String> paths) {
        return paths.stream()
                .filter(path -> Files.exists(checkout.resolve(path), LinkOption.NOFOLLOW_LINKS)
                        && !Files.isDirectory(checkout.resolve(path), LinkOption.NOFOLLOW_LINKS))
                .toList();
    }

    private Optional<WorktreeException> moved(GitCall call) {
        try {
            GitAnswer answer = calls.ask(call);
            WorktreeException failure = GitCalls.failure(call, answer);
            if (!answer.isGood() && UNTOUCHED.matcher(answer.complaint()).find()) {
                throw failure.problem() == Problem.FAILED
                        ? new WorktreeException(Problem.NOT_CLEAN, failure.getMessage())
                        : failure;
            }
            return answer.isGood() ? Optional.empty() : Optional.of(failure);
        } catch (WorktreeException failure) {
            if (failure.problem() != Problem.TIMED_OUT) {
                throw failure;
            }
            return Optional.of(failure);
        }
    }

    /**
     * Undoes a partial move and returns its failure. The checkout was clean, no file was in the way, and git would have
     * refused a foreign lock, so only paths of the merge are changed.
     */
    private WorktreeException undone(
            Path checkout, String head, String commit, List<String> added, WorktreeException failure) {
        Path lock = checkout.resolve(calls.line(GitCall.in(checkout, "rev-parse", "--git-path", "index.lock"))
                .orElse("index.lock"));
        if (!Files.exists(lock)
                && uncommitted.tracked(checkout).isEmpty()
                && present(checkout, added).isEmpty()) {
            return new WorktreeException(failure.problem(), failure.getMessage() + "; nothing was changed");
        }
        try {
            if (failure.problem() == Problem.KILLED || failure.problem() == Problem.TIMED_OUT) {
                Files.deleteIfExists(lock); // of the git that was ended
            }
            calls.good(GitCall.in(checkout, "read-tree", "--reset", commit));
            calls.good(GitCall.in(checkout, "read-tree", "--reset", "-u", commit, head));
            return new WorktreeException(failure.problem(), failure.getMessage() + "; the merge was undone");
        } catch (WorktreeException | IOException again) {
            String git = "git -C " + WorkspaceChecks.quoted(checkout) + " read-tree --reset ";
            return new WorktreeException(
                    Problem.PARTLY_MERGED,
                    failure.getMessage() + "; " + checkout
                            + " may now contain a part of the merge; after correcting the cause, remove that part with: "
                            + git + commit + " && " + git + "-u " + commit + " " + head);
        }
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
