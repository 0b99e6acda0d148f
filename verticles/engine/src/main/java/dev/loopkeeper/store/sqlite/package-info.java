/**
 * The embedded store: one SQLite file in the data folder.
 *
 * <p>Nobody else sees SQLite or JDBC.
 */
@CheckReturnValue
package dev.loopkeeper.store.sqlite;

import com.google.errorprone.annotations.CheckReturnValue;
