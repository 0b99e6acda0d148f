package dev.loopkeeper.run.progress;

import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.UnitOutcome;

/**
 * The result of an iteration.
 *
 * @param outcome its outcome in the statistics
 * @param counts false when a question interrupted it: then it affects neither the limit nor the statistics
 * @param fingerprint equal for iterations with the same result
 * @param lookBack how many fingerprints the no-progress rule needs
 * @param optedOut whether a requested step was skipped
 */
public record IterationResult(
        Verdict verdict, UnitOutcome outcome, boolean counts, String fingerprint, int lookBack, boolean optedOut) {}
