/**
 * Counts over a run's units, and the thresholds that halt it.
 *
 * <p>Belongs here: counting and comparing numbers. Does not: when a threshold is looked at ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.statistics;

import com.google.errorprone.annotations.CheckReturnValue;
