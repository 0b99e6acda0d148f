/** Tells webhooks and commands of what happened to a run. */
@CheckReturnValue
package dev.loopkeeper.notify;

import com.google.errorprone.annotations.CheckReturnValue;
