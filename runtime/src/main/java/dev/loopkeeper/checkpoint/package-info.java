/** The JSON forms of a run: its events, its view, its checkpoint. */
@CheckReturnValue
package dev.loopkeeper.checkpoint;

import com.google.errorprone.annotations.CheckReturnValue;
