/**
 * Stores events and states as JSON, and reads every older format.
 *
 * <p>Belongs here: formats with their versions and upgrade steps, the folding of a history into a state, and views
 * ({@code view}) of a state and its events. Does not: files and databases ({@code store}).
 */
@CheckReturnValue
package dev.loopkeeper.checkpoint;

import com.google.errorprone.annotations.CheckReturnValue;
