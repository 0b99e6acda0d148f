/**
 * The JSON of what lasts: events and states, in every format they were ever written in.
 *
 * <p>Belongs here: formats with their versions and the steps from one to the next, the folding of a history
 * into a state, and the views ({@code view}) made from a state and its events. Does not: files and databases (they act, in {@code store}).
 */
@CheckReturnValue
package dev.loopkeeper.checkpoint;

import com.google.errorprone.annotations.CheckReturnValue;
