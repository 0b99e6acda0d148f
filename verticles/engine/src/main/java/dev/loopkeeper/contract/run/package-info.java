/**
 * Event-bus channels of runs, {@code loopkeeper.runs.<command>}, with their records. The handlers are in {@code scheduler}.
 */
@CheckReturnValue
package dev.loopkeeper.contract.run;

import com.google.errorprone.annotations.CheckReturnValue;
