/**
 * Sends the executions of runs as traces to an OpenTelemetry collector.
 *
 * <p>Contains what turns durable events into spans, and the exporter. Ids of spans are computed from durable facts, so
 * a trace continues after a restart.
 */
@CheckReturnValue
package dev.loopkeeper.opentelemetry;

import com.google.errorprone.annotations.CheckReturnValue;
