package dev.loopkeeper.contract.worktree;

/**
 * Command: commit all changes in this worktree to its branch, except {@code .loopkeeper/} and ignored files. Without
 * changes there is no commit. A commit made before for the same step and attempt is reused; later changes stay
 * uncommitted then.
 *
 * @param from recorded head, full hash, from which changes are counted; they include the agent's own commits
 * @param base start of the branch, full hash, for the total
 * @param stepId or the name of another unit, e.g. an iteration
 * @param verdict of the step, a word for people
 * @param attempt distinguishes commands of the same step, e.g. the step's nonce
 * @param subject first line of the message
 * @param hooks whether the repository's hooks run
 */
public record CommitStep(
        WorktreePlace place,
        String from,
        String base,
        String stepId,
        String verdict,
        String attempt,
        String subject,
        boolean hooks) {}
