/**
 * Describes a policy, which holds for all runs of a store, as records with their defaults.
 *
 * <p>Belongs here: a record or enum for each part of a policy, pure questions about one, and when a schedule
 * fires. Does not: reading and
 * checking a document ({@code manifest.read}), rules ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.policy;

import com.google.errorprone.annotations.CheckReturnValue;
