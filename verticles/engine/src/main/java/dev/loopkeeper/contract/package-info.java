/**
 * Typed messages between the verticles: a record, a wire form, one channel each.
 *
 * <p>Contains channels and their codec. The channels of each area are in its subpackage and, for the store, in {@code store}.
 */
@CheckReturnValue
package dev.loopkeeper.contract;

import com.google.errorprone.annotations.CheckReturnValue;
