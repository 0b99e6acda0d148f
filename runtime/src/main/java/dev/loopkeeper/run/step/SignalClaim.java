package dev.loopkeeper.run.step;

import java.util.Set;

/**
 * A signal file that a run writes.
 *
 * @param path absolute, as the agent receives it
 * @param identities identities of the file, e.g. its path without links and its inode; two paths with a common identity
 * lead to the same file
 */
public record SignalClaim(String path, Set<String> identities) {}
