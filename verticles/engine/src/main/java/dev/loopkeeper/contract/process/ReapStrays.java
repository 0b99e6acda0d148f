package dev.loopkeeper.contract.process;

import java.util.Set;

/**
 * Command: find, and unless it is a dry run end, what carries a nonce of this data folder but belongs to no open step.
 *
 * @param openSteps {@code runId/stepId} of steps that are open though this supervisor does not look after them, as
 *     before they are adopted
 * @param sparedRuns runs of which nobody knows what is open; nothing of them is a stray
 */
public record ReapStrays(boolean dryRun, Set<String> openSteps, Set<String> sparedRuns) {}
