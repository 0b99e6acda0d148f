package dev.loopkeeper.contract.process;

import java.util.Optional;
import java.util.Set;

/**
 * Command: find, and unless it is a dry run end, what carries a nonce of this data folder but belongs to no open step.
 *
 * @param openSteps {@code runId/stepId} of steps that are open though this supervisor does not look after them, as
 *     before they are adopted
 * @param sparedRuns runs whose open steps are unknown; nothing of them is a stray
 * @param onlyRuns absent: of all runs
 */
public record ReapStrays(
        boolean dryRun, Set<String> openSteps, Set<String> sparedRuns, Optional<Set<String>> onlyRuns) {}
