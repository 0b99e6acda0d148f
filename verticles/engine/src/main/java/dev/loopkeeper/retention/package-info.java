/**
 * What is removed because it is old: whole runs, from store and folder, and logs. Also how a run is put in.
 *
 * <p>Does not belong here: what a run is or when it has ended.
 */
@CheckReturnValue
package dev.loopkeeper.retention;

import com.google.errorprone.annotations.CheckReturnValue;
