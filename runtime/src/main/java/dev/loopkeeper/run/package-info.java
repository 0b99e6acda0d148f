/** The run as a state machine: what an input means, and what is true after an event. */
@CheckReturnValue
package dev.loopkeeper.run;

import com.google.errorprone.annotations.CheckReturnValue;
