/** Watching for the signal files that steps leave behind, and reading them when a step is over. */
@CheckReturnValue
package dev.loopkeeper.signal;

import com.google.errorprone.annotations.CheckReturnValue;
