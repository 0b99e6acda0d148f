package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks whether a workspace supports worktrees, and what a person should know before the run. Blocking. */
record WorkspaceChecks(GitCalls calls, Commits commits, Uncommitted uncommitted, CarriedFiles carried) {
    /** Exit code of a git that aborted. */
    private static final int FATAL = 128;

    private static final int MOST_NAMES = 3;
    private static final String HEAD = "HEAD";

    CheckedWorkspace check(CheckWorkspace question) {
        Path workspace = question.run().isPresent() ? question.workspace() : there(question.workspace());
        if (!Files.isDirectory(workspace)) {
            throw new WorktreeException(Problem.NO_REPOSITORY, "there is no folder " + workspace);
        }
        refuseOld(workspace);
        // Never print a path directly: it may contain a line break.
        GitCall call = GitCall.in(workspace, "rev-parse", "--is-inside-work-tree", "--show-cdup");
        GitAnswer answer = calls.ask(call);
        List<String> lines = answer.text().lines().toList();
        if (answer.exit() > FATAL) {
            throw GitCalls.failure(call, answer);
        }
        if (!answer.isGood() || lines.isEmpty() || !"true".equals(lines.get(0))) {
            throw noRepository(workspace, answer);
        }
        Path real = real(workspace);
        Path top = lines.size() < 2 ? real : real.resolve(lines.get(1)).normalize();
        if (!Files.exists(top.resolve(".git"))) {
            throw new WorktreeException(
                    Problem.NO_REPOSITORY,
                    "core.worktree of the repository of " + workspace + " names " + top
                            + ", which does not contain the repository; isolation by worktree needs a checkout without core.worktree; create one with "
                            + "git worktree add");
        }
        String base = commits.named(top, question.base()).orElseThrow(() -> noCommit(top, question.base()));
        String prefix = top.relativize(real).toString();
        List<String> notes = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        question.run().ifPresent(run -> {
            refuseUnwritable(commits.common(top), run.branches());
            refuseTaken(top, run.branches());
            absent.addAll(carried.check(top, prefix, run.copy()));
            notes.addAll(ofBeginning(top, prefix, base));
        });
        notes.addAll(ofRepository(top, base));
        return new CheckedWorkspace(top, prefix, base, notes, absent);
    }

    /**
     * Returns the nearest existing folder: the workspace may be missing on the current branch, while the repository
     * exists.
     */
    private static Path there(Path workspace) {
        Path folder = workspace;
        while (!Files.isDirectory(folder) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static WorktreeException noRepository(Path workspace, GitAnswer answer) {
        return new WorktreeException(Problem.NO_REPOSITORY, withoutRepository(workspace, answer));
    }

    private static String withoutRepository(Path workspace, GitAnswer answer) {
        if (answer.complaint().contains("not a git repository")) {
            String none = workspace + " is not in a git repository, which isolation by worktree needs; ";
            // A new repository there would only hide what was lost.
            return broken(workspace)
                    .map(own -> none + "git does not accept " + own + " as a repository (" + answer.complaint()
                            + "): restore it, or if it was moved run git worktree repair in the repository, or remove "
                            + own)
                    .orElse(none + "create one with: git init " + quoted(workspace) + " && " + commit(workspace));
        }
        return workspace
                + " is not in a git repository with a usable work tree, which isolation by worktree needs: "
                + (answer.complaint().isEmpty() && Files.isDirectory(workspace.resolve(".git"))
                        ? "core.bare is true; change it with: git -C " + quoted(workspace.resolve(".git"))
                                + " config core.bare false"
                        : answer.complaint().isEmpty()
                                ? "the repository has no work tree; name a checkout as the workspace, created with: git -C "
                                        + quoted(workspace) + " worktree add PATH"
                                : answer.complaint());
    }

    /** Returns the broken repository that contains this workspace, if any. */
    private static Optional<Path> broken(Path workspace) {
        for (Path folder = workspace.toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path own = folder.resolve(".git");
            if (Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(own);
            }
        }
        return Optional.empty();
    }

    private static String commit(Path folder) {
        String git = "git -C " + quoted(folder);
        return git + " add --all && " + git + " commit --allow-empty --message Begin";
    }

    /** Quotes a path for a shell. */
    static String quoted(Path path) {
        String word = path.toString();
        return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private WorktreeException noCommit(Path top, String base) {
        return commits.resolve(top, HEAD).isEmpty() && base.equals(HEAD)
                ? new WorktreeException(
                        Problem.NO_COMMIT,
                        "the repository " + top + " has no commit on this branch yet, and a run begins at a commit; "
                                + "create one with: " + commit(top))
                : new WorktreeException(
                        Problem.UNKNOWN_COMMIT,
                        "the repository " + top + " has no commit \"" + base + "\"; name a branch, a tag or a commit");
    }

    private static Path real(Path workspace) {
        try {
            return workspace.toRealPath();
        } catch (IOException gone) {
            throw new WorktreeException(Problem.NO_REPOSITORY, workspace + " cannot be read: " + gone);
        }
    }

    private void refuseOld(Path folder) {
        GitVersion version = calls.version(folder);
        if (!version.isEnough()) {
            throw new WorktreeException(
                    Problem.GIT_UNUSABLE, "isolation by worktree needs git 2.38 or newer; this is " + version.text());
        }
    }

    /** Refuses branches in folders that belong to another user, whose run created them. */
    private static void refuseUnwritable(Path repository, List<String> branches) {
        List<String> parts =
                new ArrayList<>(List.of("", "objects", "refs", "refs/heads", "refs/loopkeeper", "worktrees"));
        for (String branch : branches) {
            String ref = Refs.branch(branch);
            parts.add(ref.substring(0, ref.lastIndexOf('/')));
            parts.add("logs/" + ref.substring(0, ref.lastIndexOf('/')));
        }
        for (String part : parts) {
            Path folder = repository.resolve(part);
            if (Files.isDirectory(folder) && !Files.isWritable(folder)) {
                throw new WorktreeException(
                        Problem.NO_REPOSITORY,
                        "user " + System.getProperty("user.name") + " cannot write " + folder
                                + ", which stores branches and commits of the run; change its permissions or its file system");
            }
        }
    }

    /**
     * Refuses branches that conflict with existing ones. Git stores a branch as a file, so {@code a} and {@code a/b}
     * cannot both exist.
     */
    private void refuseTaken(Path top, List<String> branches) {
        for (String branch : branches) {
            String ref = Refs.branch(branch);
            branches.stream()
                    .filter(other -> other.startsWith(branch + "/"))
                    .findFirst()
                    .ifPresent(other -> {
                        throw taken(
                                top,
                                branch,
                                "the run also needs branch " + other + ", and git allows no branch below another one");
                    });
            String below = calls.good(GitCall.in(top, "for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", ref))
                    .text();
            if (!below.isEmpty()) {
                throw taken(top, branch, "branch " + below + " exists already");
            }
            above(top, ref).ifPresent(above -> {
                throw taken(top, branch, "branch " + above + " exists, and git allows no branch below another one");
            });
        }
    }

    private Optional<String> above(Path top, String ref) {
        int begin = "refs/heads/".length();
        for (int end = ref.indexOf('/', begin); end > 0; end = ref.indexOf('/', end + 1)) {
            if (commits.ref(top, ref.substring(0, end)).isPresent()) {
                return Optional.of(ref.substring(begin, end));
            }
        }
        return Optional.empty();
    }

    private static WorktreeException taken(Path top, String branch, String why) {
        return new WorktreeException(
                Problem.BRANCH_TAKEN,
                "the branch " + branch + " cannot be created in " + top + ": " + why
                        + "; rename or remove the existing branch, or choose another isolation.branch or run id");
    }

    private List<String> ofBeginning(Path top, String prefix, String base) {
        List<String> notes = new ArrayList<>();
        uncommitted(top)
                .ifPresent(files -> notes.add("the checkout " + top + " has uncommitted changes (" + files
                        + "): the run begins without them"));
        if (!prefix.isEmpty()
                && commits.object(top, base + ":" + prefix)
                        .filter("tree"::equals)
                        .isEmpty()) {
            notes.add(base.substring(0, 7) + " has no folder " + prefix + ": it is empty when the run begins");
        }
        return notes;
    }

    private List<String> ofRepository(Path top, String base) {
        List<String> notes = new ArrayList<>();
        if (Files.exists(top.resolve(".gitmodules"))) {
            notes.add("submodules are empty folders in a worktree until an agent runs git submodule update there");
        }
        if (calls.line(GitCall.in(top, "config", "--type=bool", "core.sparseCheckout"))
                .filter("true"::equals)
                .isPresent()) {
            notes.add("the checkout is sparse, and so are worktrees of it");
        }
        if (calls.isYes(GitCall.in(top, "config", "--get-regexp", "^filter\\.lfs\\."))
                && calls.isYes(GitCall.in(top, "grep", "-q", "filter=lfs", base, "--", ":(glob)**/.gitattributes"))) {
            notes.add("missing files of git-lfs are fetched when a worktree is created");
        }
        return notes;
    }

    /** Describes uncommitted changes of tracked files: some names and the number of the others. Writes nothing. */
    private Optional<String> uncommitted(Path top) {
        List<String> changed = uncommitted.tracked(top);
        String names = changed.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        int more = changed.size() - MOST_NAMES;
        return changed.isEmpty() ? Optional.empty() : Optional.of(more > 0 ? names + " and " + more + " more" : names);
    }
}
