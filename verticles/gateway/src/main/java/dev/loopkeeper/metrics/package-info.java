/**
 * Numbers about what goes on, for Prometheus.
 *
 * <p>Belongs here: counting what is published. Does not: numbers that a run itself keeps ({@code statistics}).
 */
@CheckReturnValue
package dev.loopkeeper.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
