/**
 * The store in a PostgreSQL database, for one node and for several.
 *
 * <p>Nobody else sees its client.
 */
@CheckReturnValue
package dev.loopkeeper.store.postgres;

import com.google.errorprone.annotations.CheckReturnValue;
