/**
 * Translates agents' output to lines for people: one translator per dialect.
 *
 * <p>Nothing here decides anything; {@code agent} reads what an output means for a run.
 */
@CheckReturnValue
package dev.loopkeeper.agent.said;

import com.google.errorprone.annotations.CheckReturnValue;
