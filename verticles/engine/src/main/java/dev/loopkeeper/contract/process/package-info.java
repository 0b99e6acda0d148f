/**
 * Event-bus channels of processes, {@code loopkeeper.processes.<command>}, with their records. The handlers are in
 * {@code process}.
 */
@CheckReturnValue
package dev.loopkeeper.contract.process;

import com.google.errorprone.annotations.CheckReturnValue;
