package dev.loopkeeper.contract.worktree;

/**
 * Command: merge the branch of an approved item into the run's branch, with uncommitted changes of its attempt. On a
 * conflict neither branch nor worktree changes.
 *
 * @param place of the run
 * @param base start of the run's branch, full hash, for the total
 * @param from worktree of the attempt
 * @param item its id
 * @param attempt the approved one, from 1
 * @param hooks whether the repository's hooks run
 */
public record MergeItem(
        WorktreePlace place, String base, WorktreePlace from, String item, int attempt, boolean hooks) {}
