/**
 * The embedded store: one SQLite file in the data folder.
 *
 * <p>No other package uses SQLite or JDBC.
 */
@CheckReturnValue
package dev.loopkeeper.store.sqlite;

import com.google.errorprone.annotations.CheckReturnValue;
