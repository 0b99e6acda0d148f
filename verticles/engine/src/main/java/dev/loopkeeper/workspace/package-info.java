/**
 * What a workspace contains: told apart by a hash that reads only what changed.
 *
 * <p>Nothing here knows of runs.
 */
@CheckReturnValue
package dev.loopkeeper.workspace;

import com.google.errorprone.annotations.CheckReturnValue;
