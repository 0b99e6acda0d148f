/**
 * How far the work of a phase is: iterations of a loop, items, earlier attempts.
 *
 * <p>Immutable values; only events change them in a state. Does not belong here: an event ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.run.progress;

import com.google.errorprone.annotations.CheckReturnValue;
