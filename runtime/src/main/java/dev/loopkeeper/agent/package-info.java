/** What an agent's own output says of a step: one reader per dialect, fed while the logs grow. */
@CheckReturnValue
package dev.loopkeeper.agent;

import com.google.errorprone.annotations.CheckReturnValue;
