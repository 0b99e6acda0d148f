package dev.loopkeeper.contract.worktree;

/**
 * Command: merge the branch of an approved item into the run's branch. All or nothing: on a conflict neither the branch
 * nor the worktree changes.
 *
 * @param place of the run itself
 * @param base where the run's branch began, full hash, for the sum over the whole branch
 * @param branch the item's, or a commit's full hash
 * @param item its id
 * @param attempt the approved one, from 1
 * @param hooks whether the repository's own hooks run
 */
public record MergeItem(WorktreePlace place, String base, String branch, String item, int attempt, boolean hooks) {}
