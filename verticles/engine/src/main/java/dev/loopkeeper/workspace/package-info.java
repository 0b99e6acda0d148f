/**
 * Hashes of workspaces, which read only changed files, and times of their last change.
 *
 * <p>Nothing here knows of runs.
 */
@CheckReturnValue
package dev.loopkeeper.workspace;

import com.google.errorprone.annotations.CheckReturnValue;
