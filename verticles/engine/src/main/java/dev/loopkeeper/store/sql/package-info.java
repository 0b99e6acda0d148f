/**
 * Queries that all stores in a database share, and the differences between databases. Drivers and clients are in
 * {@code store.sqlite} and {@code store.postgres}.
 */
@CheckReturnValue
package dev.loopkeeper.store.sql;

import com.google.errorprone.annotations.CheckReturnValue;
