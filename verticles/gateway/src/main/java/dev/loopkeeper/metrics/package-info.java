/** Numbers about what goes on, for Prometheus. */
@CheckReturnValue
package dev.loopkeeper.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
