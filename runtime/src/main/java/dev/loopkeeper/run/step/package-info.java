/**
 * What a run records of its steps: position, kind, finding, verdict, retry, pause.
 *
 * <p>Does not belong here: the process of a step ({@code step}), an event ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.run.step;

import com.google.errorprone.annotations.CheckReturnValue;
