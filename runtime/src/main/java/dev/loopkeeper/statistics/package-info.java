/**
 * Counts a run's units and compares the counts with thresholds.
 *
 * <p>Belongs here: counting and comparing numbers. Does not: when a threshold is checked ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.statistics;

import com.google.errorprone.annotations.CheckReturnValue;
