/**
 * How work is done: pools of threads for what blocks, one piece of work at a time, the context on which something lives,
 * the clock, why what was tried has failed and when that is told again, and which release this is.
 */
@CheckReturnValue
package dev.loopkeeper.work;

import com.google.errorprone.annotations.CheckReturnValue;
