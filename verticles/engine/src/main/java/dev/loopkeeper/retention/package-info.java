/**
 * Removes old runs from store and folder, and old logs. Also adds imported runs.
 *
 * <p>Does not belong here: rules about when a run has ended.
 */
@CheckReturnValue
package dev.loopkeeper.retention;

import com.google.errorprone.annotations.CheckReturnValue;
