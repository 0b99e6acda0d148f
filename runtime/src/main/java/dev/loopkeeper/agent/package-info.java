/**
 * What an agent's own output says of a step: one reader per dialect, fed while the logs grow.
 *
 * <p>Belongs here: a dialect's records, retries, usage and last words. Does not: the table that classifies error texts
 * ({@code step}), lines for people ({@code agent.said}).
 */
@CheckReturnValue
package dev.loopkeeper.agent;

import com.google.errorprone.annotations.CheckReturnValue;
