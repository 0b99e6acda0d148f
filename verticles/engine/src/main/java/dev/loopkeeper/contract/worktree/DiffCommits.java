package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Request: the changes between two commits.
 *
 * @param repository top level of a checkout
 * @param from any name of a commit
 * @param to any name of a commit
 * @param limitBytes limit of the text, up to 64 MiB; 0 returns the counts only
 */
public record DiffCommits(Path repository, String from, String to, int limitBytes) {}
