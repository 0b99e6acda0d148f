package dev.loopkeeper.run;

import java.util.Set;

/**
 * A signal file that a run writes.
 *
 * @param path absolute, as its agent knows it
 * @param identities all by which it is known to be that file, e.g. its path without links and its inode; two paths that
 *     share one lead to the same file
 */
public record SignalClaim(String path, Set<String> identities) {}
