/** Typed messages between the verticles: a record, a wire form, one channel each. */
@CheckReturnValue
package dev.loopkeeper.contract;

import com.google.errorprone.annotations.CheckReturnValue;
