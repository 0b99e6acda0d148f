package dev.loopkeeper.contract.worktree;

/**
 * Command: merge the branch of an approved item into the run's branch, with what its attempt has not committed. All or
 * nothing: on a conflict neither the branch nor the worktree changes.
 *
 * @param place of the run itself
 * @param base where the run's branch began, full hash, for the sum over the whole branch
 * @param from the attempt's
 * @param item its id
 * @param attempt the approved one, from 1
 * @param hooks whether the repository's own hooks run
 */
public record MergeItem(
        WorktreePlace place, String base, WorktreePlace from, String item, int attempt, boolean hooks) {}
