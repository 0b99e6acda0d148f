package dev.loopkeeper.contract.signal;

import java.util.Set;

/**
 * Question: which files these really are, whatever links lead to them.
 *
 * @param workspace absolute
 * @param files absolute, or relative to the workspace
 */
public record ResolveSignals(String workspace, Set<String> files) {}
