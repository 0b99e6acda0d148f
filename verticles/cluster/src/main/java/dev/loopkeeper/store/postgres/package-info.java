/**
 * The event store in PostgreSQL, for one process or several nodes.
 *
 * <p>No other package uses the PostgreSQL client.
 */
@CheckReturnValue
package dev.loopkeeper.store.postgres;

import com.google.errorprone.annotations.CheckReturnValue;
