package dev.loopkeeper.contract.worktree;

import java.util.Optional;

/**
 * Answer: the result of a removal.
 *
 * @param removed whether the worktree is gone
 * @param reason why it stays, one line; empty if it is gone
 * @param kept ref of an archived branch's commits
 */
public record WorktreeFinished(boolean removed, Optional<String> reason, Optional<String> kept) {}
