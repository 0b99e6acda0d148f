/** Carries runs out: feeds what happens to the state machine and its commands to the verticles. */
@CheckReturnValue
package dev.loopkeeper.scheduler;

import com.google.errorprone.annotations.CheckReturnValue;
