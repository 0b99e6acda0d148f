/**
 * Tries on this machine whether a stop reaches everything that a step can start.
 */
@CheckReturnValue
package dev.loopkeeper.process.trial;

import com.google.errorprone.annotations.CheckReturnValue;
