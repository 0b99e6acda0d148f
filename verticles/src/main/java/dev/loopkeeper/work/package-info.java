/** Pools of threads for blocking work. */
@CheckReturnValue
package dev.loopkeeper.work;

import com.google.errorprone.annotations.CheckReturnValue;
