package dev.loopkeeper.contract.worktree;

/**
 * Command: make everything that changed in this worktree one commit on its branch, but for {@code .loopkeeper/} and what
 * git ignores. Nothing changed: no commit. A commit that was made before for the same step and attempt is found and not
 * made again; what changed after it stays uncommitted then.
 *
 * @param from the head that is recorded, full hash, from which changes are counted: commits that the agent made itself
 *     count too
 * @param base where the branch began, full hash, for the sum over the whole branch
 * @param stepId or another name of what is committed, e.g. of an iteration
 * @param verdict of the step, a word for people
 * @param attempt tells this command from others of the same step, e.g. the step's nonce
 * @param subject the first line of the message
 * @param hooks whether the repository's own hooks run
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
