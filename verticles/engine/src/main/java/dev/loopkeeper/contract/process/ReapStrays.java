package dev.loopkeeper.contract.process;

import java.util.Optional;
import java.util.Set;

/**
 * Command: find orphaned processes, which carry a nonce of this data folder but belong to no open step, and end them
 * unless it is a dry run.
 *
 * @param openSteps {@code runId/stepId} of open steps that this supervisor does not watch, such as steps that are not
 *     adopted yet
 * @param sparedRuns runs whose open steps are unknown; their processes are exempt
 * @param onlyRuns absent: all runs
 */
public record ReapStrays(
        boolean dryRun, Set<String> openSteps, Set<String> sparedRuns, Optional<Set<String>> onlyRuns) {}
