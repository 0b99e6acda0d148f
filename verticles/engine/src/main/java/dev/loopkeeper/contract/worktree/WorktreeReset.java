package dev.loopkeeper.contract.worktree;

import java.util.Optional;

/**
 * Answer: the worktree was reset.
 *
 * @param head equal to {@link ResetWorktree#to()}
 * @param tree hash of the head's content
 * @param kept ref of what was undone; empty if there was nothing
 */
public record WorktreeReset(String head, String tree, Optional<String> kept) {}
