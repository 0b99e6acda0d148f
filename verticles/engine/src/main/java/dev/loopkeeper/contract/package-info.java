/**
 * Typed messages between the verticles: a record, a wire form, one channel each.
 *
 * <p>Belongs here: what makes a channel, and its one codec. Does not: the channels themselves, which are in
 * {@code contract.run}, {@code contract.process}, {@code contract.signal}, {@code contract.worktree} and, for the store, in
 * {@code store}.
 */
@CheckReturnValue
package dev.loopkeeper.contract;

import com.google.errorprone.annotations.CheckReturnValue;
