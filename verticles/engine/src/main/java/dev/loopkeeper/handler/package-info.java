/**
 * Agents in Java: what an embedding program implements, {@link dev.loopkeeper.handler.StepHandler}, and the handlers
 * that it registered. The package {@code process} starts, watches and ends them.
 */
@CheckReturnValue
package dev.loopkeeper.handler;

import com.google.errorprone.annotations.CheckReturnValue;
