/**
 * How work is run: pools of threads for blocking work, one piece of work at a time, contexts that own state, the clock,
 * causes of failures and how often they are logged, maps of limited size, and the version of this release.
 */
@CheckReturnValue
package dev.loopkeeper.work;

import com.google.errorprone.annotations.CheckReturnValue;
