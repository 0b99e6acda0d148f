package dev.loopkeeper.contract.worktree;

import java.util.Optional;

/**
 * Answer: what became of it.
 *
 * @param removed whether it is gone
 * @param reason why it stays, one line; empty when it is gone
 * @param kept the ref that holds the commits of an archived branch
 */
public record WorktreeFinished(boolean removed, Optional<String> reason, Optional<String> kept) {}
