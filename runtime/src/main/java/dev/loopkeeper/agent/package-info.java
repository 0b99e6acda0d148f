/**
 * Reads the output of agents: one reader per dialect, fed while the logs grow, and one translator to lines for people.
 *
 * <p>Belongs here: a dialect's records, retries, usage, last lines, and how they look to a person. Does not: the table
 * that classifies errors ({@code step}).
 */
@CheckReturnValue
package dev.loopkeeper.agent;

import com.google.errorprone.annotations.CheckReturnValue;
