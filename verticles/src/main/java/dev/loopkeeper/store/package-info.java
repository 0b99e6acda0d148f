/** The durable truth: the event store, its projection on disk, the lock of the data folder. */
@CheckReturnValue
package dev.loopkeeper.store;

import com.google.errorprone.annotations.CheckReturnValue;
