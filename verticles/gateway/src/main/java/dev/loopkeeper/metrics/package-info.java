/**
 * Metrics for Prometheus.
 *
 * <p>Contains counters of published events. Statistics that a run keeps are in {@code statistics}.
 */
@CheckReturnValue
package dev.loopkeeper.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
