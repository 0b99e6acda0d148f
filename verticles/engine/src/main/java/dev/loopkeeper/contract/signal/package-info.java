/**
 * Event-bus channels of signals, {@code loopkeeper.signals.<command>}, with their records. The handlers are in
 * {@code signal}.
 */
@CheckReturnValue
package dev.loopkeeper.contract.signal;

import com.google.errorprone.annotations.CheckReturnValue;
