package dev.loopkeeper.contract;

import java.util.List;

/** A worktree could not be created or changed; the message says why and what to do, in one or two sentences. */
public final class WorktreeException extends CodedFailure {
    private static final int CODE = 422;

    /** Reason of the failure. */
    public enum Problem {
        /** The program {@code git} is missing or older than 2.38. */
        GIT_UNUSABLE,
        /** The workspace is in no repository, or in a bare one. */
        NO_REPOSITORY,
        /** The repository has no commit yet. */
        NO_COMMIT,
        /** The commit does not exist. */
        UNKNOWN_COMMIT,
        /** The name is not valid for a branch. */
        BAD_BRANCH,
        /** The branch exists and is not the run's, or another branch blocks its name. */
        BRANCH_TAKEN,
        /** The repository was moved or replaced. */
        REPOSITORY_MOVED,
        /** The worktree is missing or incomplete: it was not prepared, or was removed. */
        WORKTREE_GONE,
        /** The worktree's folder contains something else. */
        FOLDER_TAKEN,
        /** Another git process holds a lock; the same command may succeed later. */
        LOCKED,
        /** A merge with conflicts is in progress in the worktree; {@link #files} conflict. */
        UNMERGED,
        /** The person's checkout has uncommitted changes. */
        NOT_CLEAN,
        /** The person's checkout may contain a part of a merge. */
        PARTLY_MERGED,
        /** The person's checkout is on no branch, or on another one. */
        WRONG_BRANCH,
        /** One of the repository's hooks refused. */
        HOOK_REFUSED,
        /** A stop ended the git process that ran a hook. */
        HOOK_ENDED,
        /** A stop ended the git process that prepared a worktree. */
        PREPARATION_ENDED,
        /** A git process did not end in time; the same command would hang again. */
        TIMED_OUT,
        /** A git process was killed, e.g. for lack of memory; the same command may succeed later. */
        KILLED,
        /** The machine could not start a git process; the same command may succeed later. */
        STARVED,
        /** The command of {@code isolation.setup} failed or did not end in time. */
        SETUP_FAILED,
        /** A path to copy is not ignored by git. */
        NOT_IGNORED,
        /** The disk is full or fails; the same command may succeed later. */
        DISK,
        /** Another failure of git. */
        FAILED
    }

    private final Problem problem;
    private final transient List<String> files;

    /** Creates an exception without files. */
    public WorktreeException(Problem problem, String message) {
        this(problem, message, List.of());
    }

    /** @param files affected files, as git prints names */
    public WorktreeException(Problem problem, String message, List<String> files) {
        super(CODE, message, null);
        this.problem = problem;
        this.files = List.copyOf(files);
    }

    /** Returns the reason. */
    public Problem problem() {
        return problem;
    }

    /** Returns the affected files, as git prints names; usually none. */
    public List<String> files() {
        return files;
    }

    /** Returns the manifest key to change, e.g. {@code isolation.base}. */
    public String manifestPath() {
        return switch (problem) {
            case UNKNOWN_COMMIT -> "isolation.base";
            case BAD_BRANCH, BRANCH_TAKEN -> "isolation.branch";
            case NOT_IGNORED -> "isolation.copy";
            case SETUP_FAILED -> "isolation.setup";
            default -> "isolation.git";
        };
    }

    /** Returns whether the same command may succeed later. */
    public boolean isTransient() {
        return problem == Problem.LOCKED
                || problem == Problem.KILLED
                || problem == Problem.STARVED
                || problem == Problem.DISK;
    }
}
