/**
 * The durable truth: the port of the event store, its records and failures, and appending over the event bus. No
 * implementation and no file: see {@code store.sqlite} and {@code data}.
 */
@CheckReturnValue
package dev.loopkeeper.store;

import com.google.errorprone.annotations.CheckReturnValue;
