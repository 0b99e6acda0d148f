/**
 * Reads the output of agents: one reader per dialect, fed while the logs grow.
 *
 * <p>Belongs here: a dialect's records, retries, usage and last lines. Does not: the table that classifies errors
 * ({@code step}), lines for people ({@code agent.said}).
 */
@CheckReturnValue
package dev.loopkeeper.agent;

import com.google.errorprone.annotations.CheckReturnValue;
