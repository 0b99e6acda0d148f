/** The durable truth: the port of the event store, its records, and how it is reached over the bus. */
@CheckReturnValue
package dev.loopkeeper.store;

import com.google.errorprone.annotations.CheckReturnValue;
