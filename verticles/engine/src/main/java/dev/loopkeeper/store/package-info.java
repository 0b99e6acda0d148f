/**
 * The port of the event store, its records and failures, and appends over the event bus.
 *
 * <p>Implementations are in {@code store.sqlite} and {@code store.postgres}, files in {@code data}.
 */
@CheckReturnValue
package dev.loopkeeper.store;

import com.google.errorprone.annotations.CheckReturnValue;
