/** One agent process: what is launched and what became of it. */
@CheckReturnValue
package dev.loopkeeper.step;

import com.google.errorprone.annotations.CheckReturnValue;
