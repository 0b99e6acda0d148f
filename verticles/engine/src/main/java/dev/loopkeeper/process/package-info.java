/** Launching, watching, stopping and adopting the processes of steps. */
@CheckReturnValue
package dev.loopkeeper.process;

import com.google.errorprone.annotations.CheckReturnValue;
