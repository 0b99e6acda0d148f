/**
 * Describes an agent process: its launch, its end and the kind of its error.
 *
 * <p>Belongs here: types of a step and the classification of errors. Does not: events of steps ({@code run}), the
 * consequences of an ended step ({@code rules}), reading of an agent's output ({@code agent}).
 */
@CheckReturnValue
package dev.loopkeeper.step;

import com.google.errorprone.annotations.CheckReturnValue;
