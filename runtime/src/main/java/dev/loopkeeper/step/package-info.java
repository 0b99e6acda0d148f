/**
 * One agent process: what is launched, how it ended, and which kind of error its words tell of.
 *
 * <p>Belongs here: the words for a step and the classification of errors. Does not: events of steps ({@code run}), what an ended
 * step means ({@code rules}), the reading of an agent's output ({@code agent}).
 */
@CheckReturnValue
package dev.loopkeeper.step;

import com.google.errorprone.annotations.CheckReturnValue;
