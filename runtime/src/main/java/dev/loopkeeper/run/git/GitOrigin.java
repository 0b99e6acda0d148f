package dev.loopkeeper.run.git;

/**
 * The repository and commit from which a run with worktrees was created.
 *
 * @param repository absolute path of the top level of the user's checkout
 * @param prefix of the workspace in it, e.g. {@code services/api}; empty for the top level itself
 * @param base full hash of the commit that the run begins from
 */
public record GitOrigin(String repository, String prefix, String base) {}
