/**
 * The queries that all stores in a database share, and what a database must offer for them. No driver and no client: see
 * {@code store.sqlite} and {@code store.postgres}.
 */
@CheckReturnValue
package dev.loopkeeper.store.sql;

import com.google.errorprone.annotations.CheckReturnValue;
