package dev.loopkeeper.run;

/**
 * Where a run with worktrees of its own came from, as it was when the run was created.
 *
 * @param repository absolute path of the person's checkout, its top level
 * @param prefix of the workspace in it, e.g. {@code services/api}; empty for the top level itself
 * @param base full hash of the commit that the run begins from
 */
public record GitOrigin(String repository, String prefix, String base) {}
