package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Question: what changed between two commits.
 *
 * @param repository the top level of a checkout
 * @param from any name of a commit
 * @param to any name of a commit
 * @param limitBytes of the text, from 0, which asks for the counts alone; at most 64 MiB
 */
public record DiffCommits(Path repository, String from, String to, int limitBytes) {}
