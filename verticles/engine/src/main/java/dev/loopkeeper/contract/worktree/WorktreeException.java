package dev.loopkeeper.contract.worktree;

import dev.loopkeeper.contract.CodedFailure;
import java.util.List;

/** A worktree could not be had or changed; the message says why and what to do, in one or two sentences. */
public final class WorktreeException extends RuntimeException implements CodedFailure {
    private static final int CODE = 422;

    /** Why. */
    public enum Problem {
        /** There is no program {@code git}, or it is older than 2.38. */
        GIT_UNUSABLE,
        /** The workspace lies in no repository, or in a bare one. */
        NO_REPOSITORY,
        /** The repository has no commit yet. */
        NO_COMMIT,
        /** There is no such commit. */
        UNKNOWN_COMMIT,
        /** The name fits no branch. */
        BAD_BRANCH,
        /** There is such a branch, and it is not the run's, or one that is in its way. */
        BRANCH_TAKEN,
        /** The repository is not where it was, or another one is there. */
        REPOSITORY_MOVED,
        /** There is no whole worktree where one should be: it was not prepared, or somebody removed it. */
        WORKTREE_GONE,
        /** Something else lies where the worktree should be. */
        FOLDER_TAKEN,
        /** Another git works there at this moment; the same command may succeed later. */
        LOCKED,
        /** A merge with conflicts is under way in the worktree; {@link #files} conflict. */
        UNMERGED,
        /** The person's checkout has changes that are not committed. */
        NOT_CLEAN,
        /** The person's checkout may hold a part of a merge. */
        PARTLY_MERGED,
        /** The person's checkout is on no branch, or on another one. */
        WRONG_BRANCH,
        /** One of the repository's hooks refused. */
        HOOK_REFUSED,
        /** A stop ended the git that ran one of the repository's hooks. */
        HOOK_ENDED,
        /** A stop ended the git that prepared a worktree. */
        PREPARATION_ENDED,
        /** A git did not end in time. */
        TIMED_OUT,
        /** Somebody killed a git, or the system did for want of memory; the same command may succeed later. */
        KILLED,
        /** The machine had no process for a git; the same command may succeed later. */
        STARVED,
        /** A path that is to be carried over is not ignored by git. */
        NOT_IGNORED,
        /** The disk is full or refuses; the same command may succeed later. */
        DISK,
        /** Anything else that git says. */
        FAILED
    }

    private final Problem problem;
    private final transient List<String> files;

    /** Without files. */
    public WorktreeException(Problem problem, String message) {
        this(problem, message, List.of());
    }

    /** @param files which it concerns, as git spells names */
    public WorktreeException(Problem problem, String message, List<String> files) {
        super(message);
        this.problem = problem;
        this.files = List.copyOf(files);
    }

    /** Why. */
    public Problem problem() {
        return problem;
    }

    /** Which files it concerns, as git spells names; mostly none. */
    public List<String> files() {
        return files;
    }

    /** The key of a manifest that a person would change, e.g. {@code isolation.base}. */
    public String manifestPath() {
        return switch (problem) {
            case UNKNOWN_COMMIT -> "isolation.base";
            case BAD_BRANCH, BRANCH_TAKEN -> "isolation.branch";
            case NOT_IGNORED -> "isolation.copy";
            default -> "isolation.git";
        };
    }

    /** Whether the same command may succeed when it is repeated. */
    public boolean isTransient() {
        return problem == Problem.LOCKED
                || problem == Problem.TIMED_OUT
                || problem == Problem.KILLED
                || problem == Problem.STARVED
                || problem == Problem.DISK;
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
