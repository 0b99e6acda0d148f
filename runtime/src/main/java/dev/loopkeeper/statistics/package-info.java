/** Counts over a run's units, and the thresholds that halt it. */
@CheckReturnValue
package dev.loopkeeper.statistics;

import com.google.errorprone.annotations.CheckReturnValue;
