/**
 * Executes commands that arrive as files in a workspace.
 *
 * <p>Belongs here: finding, reading, consuming and reporting such files. Does not: what a command means for a run
 * ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.control;

import com.google.errorprone.annotations.CheckReturnValue;
