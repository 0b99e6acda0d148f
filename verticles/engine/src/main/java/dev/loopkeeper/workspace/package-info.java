/**
 * Hashes of workspaces, which read only changed files, and times of their last change; what a step did to protected
 * files.
 */
@CheckReturnValue
package dev.loopkeeper.workspace;

import com.google.errorprone.annotations.CheckReturnValue;
