/**
 * One node of a cluster: its lease, its runs, and what it asks of and tells others.
 *
 * <p>Belongs here: what carries out the rules of {@code ownership} and answers for runs of other nodes. Does not: rules
 * ({@code ownership}), statements ({@code store.postgres}).
 */
@CheckReturnValue
package dev.loopkeeper.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
