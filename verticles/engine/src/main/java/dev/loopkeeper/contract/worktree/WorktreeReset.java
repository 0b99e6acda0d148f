package dev.loopkeeper.contract.worktree;

import java.util.Optional;

/**
 * Answer: it is set back.
 *
 * @param head equal to {@link ResetWorktree#to()}
 * @param tree the hash of what the head contains
 * @param kept the ref that holds what was undone; empty where there was nothing
 */
public record WorktreeReset(String head, String tree, Optional<String> kept) {}
