package dev.loopkeeper.contract.signal;

import java.util.Set;

/**
 * Request: the real paths of these files after links are resolved.
 *
 * @param workspace absolute
 * @param files absolute, or relative to the workspace
 */
public record ResolveSignals(String workspace, Set<String> files) {}
