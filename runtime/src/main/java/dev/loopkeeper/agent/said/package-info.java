/**
 * What agents say, as lines for people: one translator for each dialect of output.
 *
 * <p>Nothing here decides anything; what an output means for a run is read by {@code agent}.
 */
@CheckReturnValue
package dev.loopkeeper.agent.said;

import com.google.errorprone.annotations.CheckReturnValue;
